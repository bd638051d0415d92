#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/units/int128.hpp"
#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

namespace bursar { inline namespace sim {

/// How jobs keep what they save.
struct CheckpointStore {
    std::int64_t bytes{}; ///< of the newest full save; 0: nothing is stored that costs anything
    std::int64_t older_bytes{};     ///< of each older full save
    std::int64_t increment_bytes{}; ///< of each increment
    std::int64_t keep{1};           ///< how many are kept, the newest among them; >= 1
    Duration retain{};              ///< kept for this long after the job's end
    Duration min_stay{};            ///< minimum charge: a deletion before is charged for this long
};

/// Bytes saved in one region and read in another.
struct BytesMoved {
    std::uint16_t from{}, to{};
    int128 bytes{};

    friend bool operator==(const BytesMoved&, const BytesMoved&) = default;
};

/// Storage that checkpoints used.
struct CheckpointUse {
    int128 byte_ms{};         ///< kept, over time
    std::int64_t num_saved{}; ///< each written once
    std::int64_t num_read{};  ///< by restarts; a full save and each of its increments count
    int128 bytes_read{};
    std::vector<BytesMoved> moved; ///< of bytes_read: saved in another region; each pair of regions
                                   ///< once, in the order of first use
};

/// Storage that the checkpoints of jobs used inside the window of the run.
///
/// A save is kept from when it is durable until `keep` later ones are and none of them builds on
/// it, or until `retain` after its job's end; at most to the end of the run. Saves in progress when
/// a job is stopped are not counted. stores: by row of Plan::classes. regions: by pool, as numbers.
[[nodiscard]] CheckpointUse checkpoint_use(const Plan& plan,
                                           const Outcome& outcome,
                                           const JobRows& jobs,
                                           std::span<const CheckpointStore> stores,
                                           std::span<const std::uint16_t> regions);

}} // namespace bursar::sim
