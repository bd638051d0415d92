#pragma once

#include <algorithm>

#include "models/training/memory/activations.hpp"
#include "models/training/memory/memory.hpp"
#include "models/training/memory/states.hpp"

/// The memory of a rank in two steps: parts that many layouts share, and plain arithmetic that
/// combines them to a peak, on the host or a device.
namespace bursar { inline namespace models {

/// Memory of one micro-batch on a rank. Equal for layouts with equal tensor, context, micro-batch,
/// sequence parallel and recompute.
struct ActivationParts {
    LayerActivations layer;
    BoundaryActivations boundary;
    ByteVolume logits;
};

/// Memory of a rank's states. Equal for layouts with equal degrees, sharding and offload.
struct StateParts {
    ModelStates first; ///< on the first stage
    ModelStates last;
    ByteVolume buffers;
    ByteVolume communicators;
};

/// The members of MemoryOverheads that the arithmetic needs.
struct MemoryConstants {
    ByteVolume context;
    double fragmentation{};
    double buffered_per_stage{};
};

[[nodiscard]] ActivationParts activation_parts(const TrainingJob& job,
                                               const MemoryOverheads& overheads);
[[nodiscard]] StateParts state_parts(const TrainingJob& job, const MemoryOverheads& overheads);
[[nodiscard]] MemoryConstants memory_constants(const MemoryOverheads& overheads);

/// Buffered pipelines: a full buffer on every stage but the last, and the current micro-batch.
[[nodiscard]] BURSAR_HD inline double
passes_held(const Layout& layout, std::int64_t stage, const MemoryConstants& constants) {
    const bool buffered = constants.buffered_per_stage > 0 && layout.pipeline > 1;
    if (!buffered || stage == layout.pipeline - 1)
        return micro_batches_in_flight(layout, stage);
    return std::min(static_cast<double>(layout.micro_batches),
                    constants.buffered_per_stage * static_cast<double>(layout.pipeline) + 1);
}

/// Memory of one rank of the first stage or the last. layers: of the model.
[[nodiscard]] BURSAR_HD inline MemoryUse stage_memory(const ActivationParts& activations,
                                                      const StateParts& held,
                                                      const MemoryConstants& constants,
                                                      std::int64_t layers,
                                                      const Layout& layout,
                                                      std::int64_t stage) {
    const bool is_first = stage == 0;
    const bool is_last = stage == layout.pipeline - 1;
    const ModelStates& states = is_first ? held.first : held.last;
    const double passes = passes_held(layout, stage, constants);
    ByteVolume boundary{};
    if (is_first)
        boundary += activations.boundary.entry * passes;
    if (is_last)
        boundary += activations.boundary.exit;
    MemoryUse use;
    use.weights = states.weights;
    use.gradients = states.gradients;
    use.optimizer = states.optimizer;
    use.gathered = states.gathered;
    use.step = states.step;
    use.activations =
        kept_on_gpu(activations.layer, layout, layers_per_stage(layers, layout.pipeline), passes) +
        boundary;
    use.working = activations.layer.working;
    if (is_last)
        use.logits = activations.logits;
    use.fragmentation = (use.activations + use.temporaries()) * (constants.fragmentation - 1);
    use.buffers = held.buffers;
    use.context = constants.context;
    use.communicators = held.communicators;
    use.stage = stage;
    return use;
}

/// Memory of the most loaded rank, which is at an end of the pipeline: stages between have fewer
/// passes in flight than the first and no embedding.
[[nodiscard]] BURSAR_HD inline MemoryUse peak_memory(const ActivationParts& activations,
                                                     const StateParts& held,
                                                     const MemoryConstants& constants,
                                                     std::int64_t layers,
                                                     const Layout& layout) {
    const MemoryUse first = stage_memory(activations, held, constants, layers, layout, 0);
    if (layout.pipeline == 1)
        return first;
    const MemoryUse last =
        stage_memory(activations, held, constants, layers, layout, layout.pipeline - 1);
    return last.total() > first.total() ? last : first;
}

}} // namespace bursar::models
