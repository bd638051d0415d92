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
    std::int64_t bytes{};           ///< of the newest; 0: nothing is kept that costs anything
    std::int64_t older_bytes{};     ///< of each of the others that hold everything
    std::int64_t increment_bytes{}; ///< of each that holds what has changed
    std::int64_t keep{1};           ///< how many are kept, the newest among them; >= 1
    Duration retain{};              ///< they stay for so long after their job
    Duration min_stay{};            ///< what is deleted earlier is charged for so long
};

/// What was saved in one region and read in another.
struct BytesMoved {
    std::uint16_t from{}, to{};
    int128 bytes{};

    friend bool operator==(const BytesMoved&, const BytesMoved&) = default;
};

/// What the checkpoints of some jobs took.
struct CheckpointUse {
    int128 byte_ms{};         ///< kept, over time
    std::int64_t num_saved{}; ///< each written once
    std::int64_t num_read{};  ///< by starts after a stop, each one that they build on
    int128 bytes_read{};
    std::vector<BytesMoved> moved; ///< of these, such as were saved in another region; each way
                                   ///< once, in the order of first use
};

/// What the checkpoints of jobs of the class rows `rows` took inside the window of the run.
///
/// A save is kept from when it is durable until `keep` more are, and none of these builds on it, or
/// until its job has ended and `retain` is over, and not behind the end of the run. Saves under way
/// as a job is stopped are not counted. stores: by row of Plan::classes. regions: of the pools, as
/// numbers.
[[nodiscard]] CheckpointUse checkpoint_use(const Plan& plan,
                                           const Outcome& outcome,
                                           const JobRows& jobs,
                                           std::span<const CheckpointStore> stores,
                                           std::span<const std::uint16_t> regions);

}} // namespace bursar::sim
