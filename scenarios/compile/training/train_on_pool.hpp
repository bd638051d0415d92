#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/calibration/error_range.hpp"
#include "models/gpu/gpu.hpp"
#include "models/topology/level_rates.hpp"
#include "models/topology/locality.hpp"
#include "models/training/job/layout.hpp"
#include "models/training/memory/memory.hpp"
#include "models/training/step/step_time.hpp"

#include "scenarios/compile/speeds/plan_speed.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// How a gang trains on one pool.
struct TrainedOn {
    std::size_t pool{}; ///< of the fleet
    std::int64_t gpus{};
    std::int64_t steps{};
    StepTime step; ///< at the narrowest level that can hold it
    /// At each of the pool's own locality levels. Levels too narrow for the gang have the step of
    /// the narrowest that can hold it. Empty if the plan has one level.
    std::vector<StepTime> step_at;
    Layout layout;
    Precision precision{};
    std::string stack;                 ///< name of the profile
    std::string why_stack;             ///< reason of the choice; empty if the scenario names the
                                       ///< stack
    std::vector<std::string> assumed;  ///< settings that the scenario does not state
    std::optional<ErrorRange> error;   ///< 80 % range of its step times; absent: not known
    MemoryOverheads overheads;         ///< memory that the stack uses beside the tensors
    MemoryUse memory;                  ///< of the most loaded rank
    ByteVolume usable;                 ///< memory that may be used
    ByteVolume checkpoint;             ///< one full checkpoint of weights and optimizer
    std::vector<std::string> warnings; ///< problems of a layout that is possible and inefficient
    bool is_layout_searched{};
    ByteRate node_network;     ///< of one node, all its adapters
    bool is_network_assumed{}; ///< the gang spans nodes and the pool states no network

    /// The step of a gang placed at that level of the pool.
    [[nodiscard]] const StepTime& step_of(std::size_t own_level) const {
        return step_at.empty() ? step : step_at[own_level];
    }
    [[nodiscard]] Seconds total() const { return total_of(step); }
    [[nodiscard]] Seconds total_of(const StepTime& each) const {
        return each.total() * static_cast<double>(steps);
    }
};

/// The share of a step's time that each stall takes.
[[nodiscard]] StallShares stall_shares(const StepTime& step);

/// The places of a pool's GPUs, and the rates of its links.
struct PoolLinks {
    const Locality& locality;
    std::span<const LevelRates> rates;
};

/// Lays a model on `gpus` GPUs of `pool` and times it, in the given layout or in the fastest that
/// fits.
///
/// spec: with a model. stacks: to choose from if spec names none; not empty. gpu: of the pool.
/// precision: overrides that of spec. Throws ModelError for what is impossible: a layout, a gang
/// that it does not divide, a precision the GPU lacks, memory that does not fit (by how much, and
/// what would help). Throws UnknownFact for a missing fact of the catalogue.
///
/// links: of the pool, if places matter. The layout is that of the narrowest level that can hold
/// the gang; it is timed at the wider ones, too. Null: one network above the nodes.
[[nodiscard]] TrainedOn train_on_pool(const TrainingSpec& spec,
                                      const Stacks& stacks,
                                      std::int64_t gpus,
                                      const PoolSpec& pool,
                                      const Gpu& gpu,
                                      Precision precision,
                                      const PoolLinks* links = nullptr);

}} // namespace bursar::scenarios
