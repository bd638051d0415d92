#include "models/training/job/check_layout.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/errors/number_text.hpp"
#include "models/training/job/layout.hpp"
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

/// part: what must divide `whole` without remainder; called: how the remedy names `whole`. The text
/// is built for a fault only, because a search checks thousands of layouts.
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
    // KV heads that the ranks do not divide are copied (held_kv_heads).
    for (const Size& shared : {Size{"heads", model.heads},
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

Fault recompute_fault(const TrainingJob& job) {
    const Recomputation& recompute = job.layout.recompute;
    const std::int64_t layers = layers_per_stage(job.model.layers, job.layout.pipeline);
    if (recompute.every >= 1 && recompute.every <= layers)
        return std::nullopt;
    return ModelError{"recompute",
                      recompute_text(recompute) + " of the " + std::to_string(layers) +
                          " layers of a stage is none",
                      "give at most every " + std::to_string(layers)};
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

Fault offload_fault(const TrainingJob& job) {
    const Layout& layout = job.layout;
    const std::int64_t layers = layers_per_stage(job.model.layers, layout.pipeline);
    if (layout.offload_layers < 0 || layout.offload_layers > layers)
        return ModelError{"offload_layers",
                          std::to_string(layout.offload_layers) + " of the " +
                              std::to_string(layers) + " layers of a stage",
                          "give at most " + std::to_string(layers)};
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
    if (layout.sharding == Sharding::none)
        return ModelError{"shard_ranks",
                          "ranks share states, and nothing is sharded",
                          "give sharding zero1, zero2 or zero3, or remove it"};
    const Size shard{"shard_ranks", layout.shard};
    if (Fault fault = at_least_one(shard))
        return fault;
    const Size replicas{"data x context", layout.replicas()};
    return divides(shard, replicas);
}

} // namespace

Fault layout_fault(const TrainingJob& job) {
    // Sizes come first: the others divide by them.
    for (auto* find : {sizes_fault,
                       tensor_fault,
                       pipeline_fault,
                       recompute_fault,
                       sequence_fault,
                       expert_fault}) {
        if (Fault fault = find(job))
            return fault;
    }
    if (Fault fault = shard_fault(job.layout))
        return fault;
    return offload_fault(job);
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

namespace {

using Warnings = std::vector<std::string>;

/// Idle share of a pipeline above which to warn; Narayanan 2021 stays below it with more
/// micro-batches.
constexpr double large_bubble = 0.2;

std::string gb_s(ByteRate rate) {
    return one_decimal(rate.count() / bytes_per_gb) + " GB/s";
}

void warn_of_tensor(const Layout& layout, const Cluster& cluster, Warnings& warnings) {
    if (layout.gpus() > cluster.gpus_per_node && layout.tensor < cluster.gpus_per_node &&
        cluster.gpus_per_node % layout.tensor != 0)
        warnings.push_back("tensor " + std::to_string(layout.tensor) +
                           " does not divide nodes of " + std::to_string(cluster.gpus_per_node) +
                           " GPUs: some tensor groups cross nodes, and the step is timed as if "
                           "none did");
    if (layout.tensor <= cluster.gpus_per_node)
        return;
    const ByteRate inside = cluster.tree.levels.front().bandwidth;
    const ByteRate outside = cluster.tree.levels.back().bandwidth;
    warnings.push_back("tensor " + std::to_string(layout.tensor) + " crosses nodes of " +
                       std::to_string(cluster.gpus_per_node) + " GPUs: every layer waits for " +
                       gb_s(outside) + " instead of " + gb_s(inside));
}

void warn_of_pipeline(const TrainingJob& job, Warnings& warnings) {
    const Layout& layout = job.layout;
    if (layout.pipeline == 1)
        return;
    const auto stages = static_cast<double>(layout.pipeline);
    const auto passes = static_cast<double>(layout.micro_batches * layout.chunks);
    const double bubble = (stages - 1) / (passes + stages - 1);
    if (bubble > large_bubble)
        warnings.push_back("the pipeline is empty " + one_decimal(100 * bubble) +
                           " % of the time: " + std::to_string(layout.micro_batches) +
                           " micro-batches for " + std::to_string(layout.pipeline) +
                           " stages; give more micro-batches or fewer "
                           "stages");
    if (job.model.layers % layout.pipeline != 0)
        warnings.push_back(std::to_string(job.model.layers) + " layers do not divide into " +
                           std::to_string(layout.pipeline) +
                           " stages: every stage waits for the fullest");
    else if (job.model.layers % (layout.pipeline * layout.chunks) != 0)
        warnings.push_back(std::to_string(job.model.layers / layout.pipeline) +
                           " layers of a stage do not divide into " +
                           std::to_string(layout.chunks) +
                           " chunks: the pipeline fills at the pace of the fullest");
    if (layout.sharding == Sharding::zero3)
        warnings.push_back("ZeRO-3 in a pipeline gathers every weight again for each of " +
                           std::to_string(layout.micro_batches) + " micro-batches");
}

void warn_of_sharding(const Layout& layout, Warnings& warnings) {
    if (layout.sharding != Sharding::none && layout.data * layout.context == 1)
        warnings.emplace_back("sharding has no data-parallel ranks to share states with");
}

void warn_of_attention(const TrainingJob& job, const Gpu& gpu, Warnings& warnings) {
    if (job.attention == Attention::unfused)
        return;
    if (!supports(gpu, Precision::bf16))
        warnings.push_back("flash attention is written for GPUs from Ampere on, and " + gpu.name +
                           " has no bf16; unfused attention is what runs there");
    else if (job.attention == Attention::flash3 && !supports(gpu, Precision::fp8))
        warnings.push_back("flash attention 3 is written for Hopper, and " + gpu.name +
                           " has no fp8; flash attention 2 is what runs there");
}

void warn_of_precision(const TrainingJob& job, const Gpu& gpu, Warnings& warnings) {
    if (job.precision != Precision::fp32)
        return;
    for (const Precision faster : {Precision::bf16, Precision::fp16, Precision::tf32}) {
        if (!supports(gpu, faster))
            continue;
        const double gain =
            dense_peak(gpu, faster).count() / dense_peak(gpu, Precision::fp32).count();
        if (gain > 2) {
            warnings.push_back("fp32 leaves the tensor cores of " + gpu.name +
                               " idle: " + std::string{name(faster)} + " multiplies " +
                               one_decimal(gain) + " times as fast");
            return;
        }
    }
}

} // namespace

std::string kv_head_copies(const TrainingJob& job) {
    if (layout_fault(job))
        return {};
    const std::int64_t held = held_kv_heads(job.model, job.layout.tensor);
    return held == job.model.kv_heads
               ? std::string{}
               : "kv_heads: copied to " + std::to_string(held) + " for the tensor ranks";
}

std::vector<std::string> layout_warnings(const TrainingJob& job, const Cluster& cluster) {
    Warnings warnings;
    warn_of_tensor(job.layout, cluster, warnings);
    warn_of_pipeline(job, warnings);
    warn_of_sharding(job.layout, warnings);
    warn_of_attention(job, cluster.gpu, warnings);
    warn_of_precision(job, cluster.gpu, warnings);
    return warnings;
}

}} // namespace bursar::models
