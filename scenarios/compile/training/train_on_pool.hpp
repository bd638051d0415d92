#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

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
    StepTime step; ///< at the narrowest level it can lie at
    /// At each of the pool's own locality levels, levels too narrow for it as the narrowest that is
    /// not; empty where the plan has one level.
    std::vector<StepTime> step_at;
    Layout layout;
    Precision precision{};
    std::string stack;                    ///< name of the profile
    std::string why_stack;                ///< where no stack is named; else empty
    std::optional<double> held_out_error; ///< of its step times, as a share; absent: not known
    MemoryOverheads overheads;            ///< what that stack holds beside the tensors
    MemoryUse memory;                     ///< of the most loaded rank
    ByteVolume usable;                    ///< what it may take
    ByteVolume checkpoint;                ///< one full checkpoint of weights and optimizer
    std::vector<std::string> warnings;    ///< what is possible and foolish about the layout
    bool is_layout_searched{};
    ByteRate node_network;     ///< of one node, all its adapters
    bool is_network_assumed{}; ///< the gang spans nodes and the pool says nothing of its network

    /// The step where its place is of that level of the pool.
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

/// Where the GPUs of a pool are, and what its links give.
struct PoolLinks {
    const Locality& locality;
    std::span<const LevelRates> rates;
};

/// Lays a model on `gpus` GPUs of `pool` and times it: the layout given, or the fastest that fits.
///
/// spec: with a model. stacks: not empty; what is chosen from where spec has none. gpu: of the
/// pool. precision: whatever spec says. Throws ModelError for what cannot be (a layout, a gang it
/// does not divide, a precision the GPU lacks, memory that does not fit, saying by how much and
/// what would) and UnknownFact for what the catalogue does not state.
///
/// links: of the pool, where places matter; the layout is that of the narrowest level the gang can
/// lie at, and the same one is timed at the wider ones. Null: one network above the nodes.
[[nodiscard]] TrainedOn train_on_pool(const TrainingSpec& spec,
                                      const Stacks& stacks,
                                      std::int64_t gpus,
                                      const PoolSpec& pool,
                                      const Gpu& gpu,
                                      Precision precision,
                                      const PoolLinks* links = nullptr);

}} // namespace bursar::scenarios
