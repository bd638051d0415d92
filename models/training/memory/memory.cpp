#include "models/training/memory/memory.hpp"

#include <cassert>

#include "models/training/job/check_layout.hpp"
#include "models/training/memory/memory_parts.hpp"

namespace bursar { inline namespace models {
namespace {

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

} // namespace

ActivationParts activation_parts(const TrainingJob& job, const MemoryOverheads& overheads) {
    return {layer_activations(job, overheads.kernels),
            boundary_activations(job),
            logit_memory(job, overheads)};
}

StateParts state_parts(const TrainingJob& job, const MemoryOverheads& overheads) {
    const Layout& layout = job.layout;
    const auto states = [&](std::int64_t stage) {
        return model_states(job, rank_parameters(job.model, layout, stage), overheads);
    };
    MemoryUse use;
    add_overheads(use, layout.gpus(), layout.sharding, overheads);
    return {states(0), states(layout.pipeline - 1), use.buffers, use.communicators};
}

MemoryConstants memory_constants(const MemoryOverheads& overheads) {
    return {overheads.context, overheads.fragmentation, overheads.buffered_per_stage};
}

MemoryUse memory_use(const TrainingJob& job, const MemoryOverheads& overheads) {
    check_layout(job);
    return peak_memory(activation_parts(job, overheads),
                       state_parts(job, overheads),
                       memory_constants(overheads),
                       job.model.layers,
                       job.layout);
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

}} // namespace bursar::models
