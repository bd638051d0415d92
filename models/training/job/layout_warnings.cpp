#include <array>
#include <charconv>
#include <cstdint>

#include "models/training/job/check_layout.hpp"

namespace bursar { inline namespace models {
namespace {

using Warnings = std::vector<std::string>;

/// Idle share of a pipeline worth a word; Narayanan 2021 keeps it below this by more micro-batches.
constexpr double large_bubble = 0.2;

/// One decimal.
std::string text(double value) {
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(
        buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, 1);
    return {buffer.data(), end.ptr};
}

std::string gb_s(ByteRate rate) {
    return text(rate.count() / bytes_per_gb) + " GB/s";
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
        warnings.push_back("the pipeline is empty " + text(100 * bubble) +
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
                               " idle: " + std::string{name(faster)} + " multiplies " + text(gain) +
                               " times as fast");
            return;
        }
    }
}

} // namespace

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
