#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/training/job/cluster.hpp"
#include "models/training/job/training_job.hpp"

namespace bursar { inline namespace models {

/// Degrees that every layout of a search has; absent: all are tried. >= 1.
struct StatedDegrees {
    std::optional<std::int64_t> tensor{};
    std::optional<std::int64_t> pipeline{};
    std::optional<std::int64_t> chunks{};
    std::optional<std::int64_t> context{};
    std::optional<std::int64_t> expert{};
    std::optional<std::int64_t> data{};
    std::optional<bool> sequence_parallel{};
};

/// The layouts of a search. Other properties (attention, recipe, offload, GPipe, ranks that share
/// states, tensor parallel across nodes) are those of the job.
struct LayoutSpace {
    std::int64_t gpus{};                  ///< all of them are used; > 0
    std::int64_t global_batch{};          ///< sequences per step, > 0
    std::int64_t smallest_micro_batch{1}; ///< tried first, then twice that and so on; > 0
    std::int64_t largest_micro_batch{16};
    std::int64_t largest_context{1};
    std::vector<Precision> precisions{Precision::bf16};
    std::vector<Recomputation> recompute{
        Recompute::none, Recompute::selective, {Recompute::full, 2}, Recompute::full};
    std::vector<Sharding> sharding{
        Sharding::none, Sharding::zero1, Sharding::zero2, Sharding::zero3};
    StatedDegrees stated{};
};

/// The most GPUs that should share one sequence: a power of two with at least 8,192 tokens each,
/// from which on Megatron-LM and Llama 3 divide sequences; 1 for shorter ones. sequence: > 0.
[[nodiscard]] std::int64_t usual_largest_context(std::int64_t sequence);

/// The default search space for `job` on `gpus` GPUs; a sharding of its layout is that of all.
/// global_batch: a sequence for
/// each GPU where absent. gpus, *global_batch: > 0.
[[nodiscard]] LayoutSpace usual_layout_space(const TrainingJob& job,
                                             std::int64_t gpus,
                                             std::optional<std::int64_t> global_batch);

/// Calls `visit` with `job` under every layout of the space that passes the rules, each once, in an
/// order that depends on the arguments alone; returns how many combinations the rules excluded.
///
/// Rules: tensor divides the heads and stays inside a node (divides its GPUs where there are
/// several); pipeline at most one stage per layer; chunks hold the layers evenly, alone or with up
/// to three places more (embedding, loss, an empty one), and micro-batches are a multiple of the
/// stages where there are chunks (Megatron-LM); expert divides experts and data; powers of two for
/// context, and for micro-batch from the smallest on; ZeRO-2 and 3 not in a pipeline; sequence
/// parallel only with tensor parallel; selective recompute only where attention keeps its scores;
/// and check_layout. Rules that exclude a whole branch count once. Stated degrees, and the only
/// sharding of a space, need no more than to divide and to pass check_layout.
///
/// Throws ModelError if the space is empty: gpus or batch below 1, a precision that the GPU lacks.
std::int64_t for_each_layout(const TrainingJob& job,
                             const Cluster& cluster,
                             const LayoutSpace& space,
                             const std::function<void(const TrainingJob&)>& visit);

}} // namespace bursar::models
