#include "models/training/job/check_layout.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/training/job/precision_plan.hpp"

namespace bursar { inline namespace models {
namespace {

using Fault = std::optional<ModelError>;

struct Size {
    const char* name;
    std::int64_t value;
};

Fault at_least_one(const Size& size) {
    if (size.value >= 1)
        return std::nullopt;
    return ModelError{size.name, std::to_string(size.value) + " is below 1", "give at least 1"};
}

/// part: what must divide `whole` without remainder; called: how the remedy names `whole`. Its
/// words are put together for a fault alone: a search asks this of thousands of layouts.
Fault divides(const Size& part, const Size& whole, const char* called = "") {
    if (whole.value % part.value == 0)
        return std::nullopt;
    const std::string number = std::to_string(whole.value);
    return ModelError{part.name,
                      std::to_string(part.value) + " does not divide " + whole.name + " " + number,
                      std::string{"choose a divisor of "} + called + number};
}

Fault sizes_fault(const TrainingJob& job) {
    const Transformer& model = job.model;
    const Layout& layout = job.layout;
    const std::array sizes{Size{"layers", model.layers},
                           Size{"hidden", model.hidden},
                           Size{"ffn", model.ffn},
                           Size{"heads", model.heads},
                           Size{"kv_heads", model.kv_heads},
                           Size{"head_dim", model.head_dim},
                           Size{"vocab", model.vocab},
                           Size{"sequence", job.sequence},
                           Size{"tensor", layout.tensor},
                           Size{"pipeline", layout.pipeline},
                           Size{"chunks", layout.chunks},
                           Size{"context", layout.context},
                           Size{"expert", layout.expert},
                           Size{"data", layout.data},
                           Size{"micro_batch", layout.micro_batch},
                           Size{"micro_batches", layout.micro_batches}};
    for (const Size& size : sizes) {
        if (Fault fault = at_least_one(size))
            return fault;
    }
    return divides({"kv_heads", model.kv_heads}, {"heads", model.heads});
}

Fault tensor_fault(const TrainingJob& job) {
    const Size tensor{"tensor", job.layout.tensor};
    const Transformer& model = job.model;
    // A model of few KV heads limits tensor parallel before its heads do.
    for (const Size& shared : {Size{"heads", model.heads},
                               Size{"kv_heads", model.kv_heads},
                               Size{"ffn", model.experts ? model.experts->ffn : model.ffn}}) {
        if (Fault fault = divides(tensor, shared))
            return fault;
    }
    if (job.layout.sequence_parallel && tensor.value == 1)
        return ModelError{"sequence_parallel",
                          "shares what tensor parallel ranks keep whole, and tensor is 1",
                          "give tensor 2 or more, or remove it"};
    return std::nullopt;
}

Fault pipeline_fault(const TrainingJob& job) {
    const Layout& layout = job.layout;
    const std::int64_t layers = job.model.layers;
    if (layout.pipeline > layers)
        return ModelError{"pipeline",
                          std::to_string(layout.pipeline) + " stages for " +
                              std::to_string(layers) + " layers",
                          "give at most " + std::to_string(layers)};
    if (layout.chunks == 1)
        return std::nullopt;
    if (layout.pipeline == 1)
        return ModelError{"chunks",
                          "one stage has nothing to interleave " + std::to_string(layout.chunks) +
                              " chunks with",
                          "give pipeline 2 or more, or chunks 1"};
    if (layout.gpipe)
        return ModelError{"chunks", "GPipe runs one chunk per stage", "give chunks 1"};
    if (layout.chunks > layers / layout.pipeline)
        return ModelError{"chunks",
                          std::to_string(layout.pipeline) + " stages of " +
                              std::to_string(layout.chunks) + " chunks for " +
                              std::to_string(layers) + " layers",
                          "give at most " + std::to_string(layers / layout.pipeline)};
    return std::nullopt;
}

Fault sequence_fault(const TrainingJob& job) {
    const Size sequence{"sequence", job.sequence};
    if (Fault fault = divides({"context", job.layout.context}, sequence))
        return fault;
    const std::int64_t local = job.sequence / job.layout.context;
    if (job.layout.sequence_parallel && local % job.layout.tensor != 0)
        return ModelError{"sequence_parallel",
                          std::to_string(local) +
                              " tokens per context rank do not divide over tensor " +
                              std::to_string(job.layout.tensor),
                          "choose another tensor or sequence"};
    return std::nullopt;
}

Fault expert_fault(const TrainingJob& job) {
    const Size expert{"expert", job.layout.expert};
    if (!job.model.experts) {
        if (expert.value == 1)
            return std::nullopt;
        return ModelError{"expert",
                          std::to_string(expert.value) +
                              " ranks share experts, and the model has none",
                          "give expert 1"};
    }
    const Size count{"experts", job.model.experts->count};
    if (Fault fault = divides(expert, count))
        return fault;
    // Expert ranks are taken out of the data-parallel ones (FORMULAS 0).
    const Size data{"data", job.layout.data};
    return divides(expert, data, "data ");
}

Fault offload_fault(const Layout& layout) {
    if (!layout.offload_parameters)
        return std::nullopt;
    if (layout.sharding != Sharding::zero3)
        return ModelError{"offload_parameters",
                          "weights are on the host only between the uses that ZeRO-3 gathers "
                          "them for",
                          "give sharding zero3"};
    if (!layout.offload_optimizer)
        return ModelError{"offload_parameters",
                          "the optimizer must be where the weights are",
                          "give offload_optimizer too"};
    return std::nullopt;
}

Fault shard_fault(const Layout& layout) {
    if (layout.shard == 0)
        return std::nullopt;
    const Size shard{"shard", layout.shard};
    if (Fault fault = at_least_one(shard))
        return fault;
    const Size replicas{"data x context", layout.replicas()};
    return divides(shard, replicas);
}

} // namespace

Fault layout_fault(const TrainingJob& job) {
    // Sizes come first: the others divide by them.
    for (auto* find : {sizes_fault, tensor_fault, pipeline_fault, sequence_fault, expert_fault}) {
        if (Fault fault = find(job))
            return fault;
    }
    if (Fault fault = shard_fault(job.layout))
        return fault;
    return offload_fault(job.layout);
}

Fault layout_fault(const TrainingJob& job, const Cluster& cluster) {
    if (Fault fault = layout_fault(job))
        return fault;
    if (Fault fault = precision_fault(cluster.gpu, job.precision))
        return fault;
    const Layout& layout = job.layout;
    if (layout.tensor > cluster.gpus_per_node && !layout.tensor_across_nodes)
        return ModelError{"tensor",
                          std::to_string(layout.tensor) + " ranks reach across nodes of " +
                              std::to_string(cluster.gpus_per_node) + " GPUs",
                          "give at most " + std::to_string(cluster.gpus_per_node) +
                              ", or tensor_across_nodes"};
    return std::nullopt;
}

void check_layout(const TrainingJob& job) {
    if (Fault fault = layout_fault(job))
        throw *fault;
}

void check_layout(const TrainingJob& job, const Cluster& cluster) {
    if (Fault fault = layout_fault(job, cluster))
        throw *fault;
}

}} // namespace bursar::models
