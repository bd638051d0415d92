#pragma once

#include <cstdint>

#include "models/network/locality_tree.hpp"
#include "models/units/physics.hpp"

namespace bursar {

enum class Collective : std::uint8_t {
    all_reduce,
    reduce_scatter,
    all_gather,
    all_to_all,
    broadcast
};

/// How close a software stack comes to its links.
struct CollectiveTuning {
    double link_efficiency{0.8}; ///< share of a link's rate, (0, 1]
    double phase_overlap{0.3};   ///< o of models.md 4.6: share of the shorter phase not hidden
};

/// Time of one collective over `group`, the best of the algorithms that apply (models.md 4.6).
///
/// volume: the whole buffer S, as nccl-tests counts it (all-gather, reduce-scatter: per rank x n);
/// all-to-all: one rank's own buffer. >= 0. A group of one takes no time.
Seconds collective_time(Collective kind,
                        ByteVolume volume,
                        CommGroup group,
                        const LocalityTree& tree,
                        const CollectiveTuning& tuning);

/// One message between two GPUs whose smallest common domain is `level`: latency + volume / rate.
Seconds
point_to_point_time(ByteVolume volume, const LinkLevel& level, const CollectiveTuning& tuning);

} // namespace bursar
