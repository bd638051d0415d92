#include "models/training/memory/memory.hpp"

#include <cassert>

#include "models/training/check_layout.hpp"
#include "models/training/memory/activations.hpp"
#include "models/training/memory/rank_parameters.hpp"
#include "models/training/memory/states.hpp"

namespace bursar::inline models {
namespace {

void add_states(MemoryUse& use, const ModelStates& states) {
    use.weights = states.weights;
    use.gradients = states.gradients;
    use.optimizer = states.optimizer;
    use.gathered = states.gathered;
}

/// Buffered pipelines: a full buffer on every stage but the last, and the micro-batch under way.
double in_flight(const Layout& layout, std::int64_t stage, const MemoryOverheads& overheads) {
    const bool buffered = overheads.buffered_per_stage > 0 && layout.pipeline > 1;
    if (!buffered || stage == layout.pipeline - 1)
        return micro_batches_in_flight(layout, stage);
    return std::min(static_cast<double>(layout.micro_batches),
                    overheads.buffered_per_stage * static_cast<double>(layout.pipeline) + 1);
}

void add_activations(MemoryUse& use, const TrainingJob& job, const MemoryOverheads& overheads) {
    const LayerActivations layer = layer_activations(job, overheads.kernels);
    const double passes = in_flight(job.layout, use.stage, overheads);
    const auto layers =
        static_cast<double>(layers_per_stage(job.model.layers, job.layout.pipeline));
    use.activations = layer.kept * (layers * passes) + boundary_activations(job, use.stage, passes);
    use.working = layer.working;
    if (use.stage == job.layout.pipeline - 1)
        use.logits = logit_memory(job, overheads);
    use.fragmentation = (use.activations + use.temporaries()) * (overheads.fragmentation - 1);
}

void add_overheads(MemoryUse& use,
                   std::int64_t gpus,
                   Sharding sharding,
                   const MemoryOverheads& overheads) {
    use.context = overheads.context;
    use.buffers = overheads.workspace;
    if (gpus > 1)
        use.communicators = overheads.communicators;
    if (gpus > 1 && sharding != Sharding::none)
        use.buffers += ByteVolume{2 * overheads.reduce_bucket * overheads.reduce_buckets};
}

MemoryUse
stage_memory(const TrainingJob& job, std::int64_t stage, const MemoryOverheads& overheads) {
    MemoryUse use;
    use.stage = stage;
    add_states(use, model_states(job, rank_parameters(job.model, job.layout, stage), overheads));
    add_activations(use, job, overheads);
    add_overheads(use, job.layout.gpus(), job.layout.sharding, overheads);
    return use;
}

} // namespace

MemoryUse memory_use(const TrainingJob& job, const MemoryOverheads& overheads) {
    check_layout(job);
    // Between the ends nothing grows: fewer passes in flight than the first stage, no embedding.
    const MemoryUse first = stage_memory(job, 0, overheads);
    if (job.layout.pipeline == 1)
        return first;
    const MemoryUse last = stage_memory(job, job.layout.pipeline - 1, overheads);
    return last.total() > first.total() ? last : first;
}

MemoryUse memory_use(const GenericNetwork& network,
                     StateRecipe recipe,
                     Precision precision,
                     Sharding sharding,
                     std::int64_t data,
                     std::int64_t batch,
                     const MemoryOverheads& overheads) {
    assert(data >= 1 && batch >= 1);
    const StateBytes bytes = state_bytes(recipe);
    const auto ranks = static_cast<double>(data);
    const auto bytes_of = [&](double each, Sharding from) {
        return ByteVolume{each * network.parameters / (sharding >= from ? ranks : 1)};
    };
    const double width = precision == Precision::fp32 || precision == Precision::tf32 ? 2 : 1;
    MemoryUse use;
    use.weights = bytes_of(bytes.weights, Sharding::zero3);
    use.gradients = bytes_of(bytes.gradients, Sharding::zero2);
    use.optimizer = bytes_of(bytes.optimizer, Sharding::zero1);
    use.activations = network.activations_per_sample * (width * static_cast<double>(batch));
    use.fragmentation = use.activations * (overheads.fragmentation - 1);
    add_overheads(use, data, sharding, overheads);
    return use;
}

ByteVolume usable_memory(const Gpu& gpu, const MemoryOverheads& overheads) {
    return volume_of(memory(gpu)) * (1 - overheads.reserve);
}

} // namespace bursar::inline models
