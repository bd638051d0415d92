#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/gpu/gpu.hpp"
#include "models/training/layout.hpp"
#include "models/training/memory/memory.hpp"
#include "models/training/step/step_time.hpp"

#include "scenarios/compile/plan_speed.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar {

/// How a gang trains on one pool.
struct TrainedOn {
    std::size_t pool{}; ///< of the fleet
    std::int64_t gpus{};
    std::int64_t steps{};
    StepTime step;
    Layout layout;
    Precision precision{};
    std::string stack;                 ///< name of the profile
    MemoryOverheads overheads;         ///< what that stack holds beside the tensors
    MemoryUse memory;                  ///< of the most loaded rank
    ByteVolume usable;                 ///< what it may take
    ByteVolume checkpoint;             ///< one full checkpoint of weights and optimizer
    std::vector<std::string> warnings; ///< what is possible and foolish about the layout
    bool is_layout_searched{};
    ByteRate node_network;     ///< of one node, all its adapters
    bool is_network_assumed{}; ///< the gang spans nodes and the pool says nothing of its network

    [[nodiscard]] Seconds total() const { return step.total() * static_cast<double>(steps); }
    /// The share of its time that each stall takes.
    [[nodiscard]] StallShares stall_shares() const;
};

/// Lays a model on `gpus` GPUs of `pool` and times it: the layout given, or the fastest that fits.
///
/// spec: with a model. gpu: of the pool. Throws ModelError for what cannot be (a layout, a gang it
/// does not divide, a precision the GPU lacks, memory that does not fit, saying by how much and
/// what would) and UnknownFact for what the catalogue does not state.
[[nodiscard]] TrainedOn
train_on_pool(const TrainingSpec& spec, std::int64_t gpus, const PoolSpec& pool, const Gpu& gpu);

} // namespace bursar
