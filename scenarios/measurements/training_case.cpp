#include "scenarios/measurements/training_case.hpp"

#include <algorithm>
#include <array>

#include "scenarios/measurements/measured_cluster.hpp"
#include "scenarios/measurements/measured_gpu.hpp"
#include "scenarios/measurements/measured_layout.hpp"
#include "scenarios/measurements/measured_transformer.hpp"
#include "scenarios/measurements/nearest_profile.hpp"
#include "scenarios/measurements/stated_settings.hpp"
#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Benchmarks of single passes say so first in their notes.
MeasuredPart part_of(const std::string& notes) {
    const std::string words = lower_case(notes);
    const std::string first = words.substr(0, words.find_first_of(";,"));
    if (contains(first, "adam") || contains(first, "optimizer") || contains(first, "step"))
        return MeasuredPart::step;
    if (first == "forward+backward" || first == "fwd+bwd")
        return MeasuredPart::forward_backward;
    return first == "forward" || first == "fwd" ? MeasuredPart::forward : MeasuredPart::step;
}

Compilation compilation_of(const std::string& framework) {
    const std::string words = lower_case(framework);
    if (contains(words, "reduce-overhead") || contains(words, "max-autotune") ||
        contains(words, "graph"))
        return Compilation::cuda_graphs;
    return contains(words, "compile") ? Compilation::compiled : Compilation::eager;
}

/// Bytes per parameter by number format and stack (FORMULAS 3.1). Of the weights in fp32 that FSDP
/// and JAX stacks keep, mixed_adam counts the same 16 bytes.
StateRecipe
recipe_of(const TrainingMeasurement& row, Precision precision, Assumptions& assumptions) {
    if (precision == Precision::fp32 || precision == Precision::tf32)
        return StateRecipe::fp32_adam;
    const std::string framework = lower_case(row.framework);
    const std::string format = lower_case(row.precision);
    if (contains(format, "pure") || contains(format, "true"))
        return StateRecipe::pure_bf16;
    if (contains(framework, "megatron") && !contains(framework, "deepspeed"))
        return StateRecipe::megatron_adam;
    const auto keeps_fp32 = [&framework](std::string_view stack) {
        return contains(framework, stack);
    };
    constexpr std::array<std::string_view, 6> mixed{
        "deepspeed", "fsdp", "torchtitan", "jax", "oneflow", "composer"};
    if (std::ranges::none_of(mixed, keeps_fp32))
        assumptions.emplace_back("states: 16 bytes a parameter, with fp32 weights and moments");
    return StateRecipe::mixed_adam;
}

} // namespace

Gpu gpu_of_row(const TrainingMeasurement& row, const KnownWorld& world, Assumptions& assumptions) {
    std::optional<double> peak = row.peak_tflops;
    const std::string precision = lower_case(row.precision);
    if (peak && contains(precision, "fp8"))
        *peak /= 2;
    else if (peak && contains(precision, "tf32"))
        *peak *= 2;
    else if (peak && contains(precision, "fp32"))
        *peak *= 8;
    return measured_gpu(row.gpu, peak, world.gpus, assumptions);
}

TrainingCase training_case(const TrainingMeasurement& row, const KnownWorld& world) {
    TrainingCase result;
    result.row = row;
    Assumptions& assumed = result.assumptions;
    TrainingJob& job = result.job;
    const Gpu gpu = gpu_of_row(row, world, assumed);
    const int stack_year = year_of_stack(row.framework);
    job.model = measured_transformer(row, world.architectures, assumed);
    job.sequence = job.model.sequence;
    job.precision = stated_precision(row.precision, gpu, assumed);
    job.fp8_scaling = stated_scaling(row.precision + ' ' + row.framework);
    job.attention = stated_attention(row.attention, gpu, stack_year, assumed);
    job.recipe = recipe_of(row, job.precision, assumed);
    job.compilation = compilation_of(row.framework);
    const StatedSharding sharding = stated_sharding(row.sharding, row.framework, assumed);
    job.layout.sharding = sharding.sharding;
    job.layout.offload_optimizer = sharding.offload_optimizer;
    job.layout.shard = sharding.shard;
    const int kernels_year = job.attention == Attention::unfused ? 2022 : stack_year;
    job.layout.sequence_parallel = stated_sequence_parallel(
        row.sequence_parallel, row.tensor.value_or(1), kernels_year, assumed);
    if (job.sequence % (row.tensor.value_or(1) * row.context.value_or(1)) != 0)
        job.layout.sequence_parallel = false; // a sequence that its ranks cannot share
    result.cluster = measured_cluster(row, gpu, assumed);
    lay_out(row, result.cluster, job, assumed);
    result.part = part_of(row.notes);
    result.profile =
        &nearest_profile(row.framework, job, result.cluster.gpu, world.stacks, assumed);
    std::optional<FlopRate> peak;
    if (supports(result.cluster.gpu, job.precision))
        peak = dense_peak(result.cluster.gpu, job.precision);
    result.speed = measured_speed(row, job, peak);
    return result;
}

}} // namespace bursar::scenarios
