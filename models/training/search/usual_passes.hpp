#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/training/job/cluster.hpp"
#include "models/training/job/training_job.hpp"
#include "models/training/memory/memory_overheads.hpp"

namespace bursar { inline namespace models {

/// What is stated of the passes of a step; absent: not stated. Counts are >= 1.
struct StatedPasses {
    std::optional<std::int64_t> batch{};       ///< sequences of a replica and step
    std::optional<std::int64_t> micro_batch{}; ///< sequences of a replica and pass
    std::optional<std::int64_t> passes{};      ///< of a replica and step
    std::optional<Recomputation> recompute{};
};

/// Why passes have their values, for people; empty: stated.
struct PassReasons {
    std::string micro_batch, passes, recompute, offload_layers;

    /// Each with its value in the layout of `job`, "recompute: none, not stated", and the KV heads
    /// that it copies.
    [[nodiscard]] std::vector<std::string> assumptions(const TrainingJob& job) const;
};

/// Completes the layout of `job`, whose degrees are given: micro-batch, passes, recompute and
/// offloaded layers. Values that are not stated:
/// - recompute: none where activations are offloaded; else none, unless that needs a third more
/// than
///   the GPU's memory; then, in mixtures, that of cheap operators by the same rule; then full
/// - offloaded layers: the fewest that fit, where the stack puts them on the host (with_offload())
/// - micro-batch: the batch divided by the passes; else the largest power of two up to 16 that
///   divides the batch, leaves a pipeline at least 4 passes per stage and fits the GPU's memory
/// - passes: from the batch, the last one not full where the micro-batch does not divide it;
///   without a batch 1, in a pipeline 8 per stage
/// A micro-batch above the batch is cut to it. Memory that the GPU's facts do not have is enough.
/// An impossible layout (check_layout) is completed as if it needed no memory.
PassReasons settle_passes(TrainingJob& job,
                          const StatedPasses& stated,
                          const Cluster& cluster,
                          const MemoryOverheads& overheads);

}} // namespace bursar::models
