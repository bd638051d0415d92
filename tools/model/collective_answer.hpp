#pragma once

#include <cstdint>
#include <optional>

#include "models/network/collective.hpp"
#include "models/network/measured_curve.hpp"
#include "models/training/job/cluster.hpp"

#include "reports/answer/answer.hpp"

namespace bursar { inline namespace tools {

/// What `bursar model collective` is asked.
struct CollectiveQuestion {
    Collective kind{Collective::all_reduce};
    std::int64_t gpus{};              ///< >= 2
    std::optional<ByteVolume> volume; ///< absent: a table over sizes
    std::optional<CollectiveAlgorithm> algorithm;
    std::optional<MeasuredCurve> curve; ///< of this collective and group; its times come first
    Cluster cluster;
};

/// Time, bandwidths and terms at one size with what every other algorithm would take; or the times
/// over sizes. Throws ModelError where the algorithm asked for does not apply.
[[nodiscard]] Answer collective_answer(const CollectiveQuestion& question);

}} // namespace bursar::tools
