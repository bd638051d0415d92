#include "scenarios/measurements/training_case.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/training/job/cluster.hpp"
#include "models/training/job/flops.hpp"
#include "models/training/job/training_job.hpp"
#include "models/training/search/usual_passes.hpp"

#include "scenarios/catalog/training_defaults.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/measurements/measured_gpu.hpp"
#include "scenarios/measurements/measured_transformer.hpp"
#include "scenarios/measurements/noted_shape.hpp"
#include "scenarios/measurements/stated_settings.hpp"
#include "scenarios/measurements/training_measurement.hpp"
#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

void settle_degrees(const TrainingMeasurement& row, TrainingJob& job, Assumptions& assumptions) {
    Layout& layout = job.layout;
    layout.tensor = row.tensor.value_or(1);
    layout.pipeline = row.pipeline.value_or(1);
    layout.context = row.context.value_or(1);
    layout.expert = job.model.experts ? row.expert.value_or(1) : 1;
    const std::int64_t replica = layout.tensor * layout.pipeline * layout.context;
    if (row.gpus && *row.gpus % replica != 0)
        throw ModelError{"gpus",
                         fmt::format("{} GPUs do not hold whole replicas of {} (tp {} pp {} cp {})",
                                     *row.gpus,
                                     replica,
                                     layout.tensor,
                                     layout.pipeline,
                                     layout.context),
                         ""};
    layout.data = row.gpus ? *row.gpus / replica : row.data.value_or(1);
    if (row.data && *row.data != layout.data)
        assumptions.push_back(fmt::format(
            "dp: {}, not the {} published, as {} GPUs leave", layout.data, *row.data, *row.gpus));
    if (layout.data % layout.expert != 0) {
        layout.expert = 1;
        assumptions.emplace_back("ep: 1, the published degree does not divide dp");
    }
    layout.chunks = layout.pipeline > 1 ? row.chunks.value_or(1) : 1;
}

/// Takes the stated sharding group, if it divides the ranks with the same weights.
void settle_shard(const TrainingMeasurement& row, TrainingJob& job, Assumptions& assumptions) {
    Layout& layout = job.layout;
    if (layout.shard == 0 || layout.replicas() % layout.shard == 0)
        return;
    assumptions.push_back(fmt::format(
        "sharding: over all ranks, \"{}\" does not divide {}", row.sharding, layout.replicas()));
    layout.shard = 0;
}

/// Lays a measured run over its GPUs. `job` has model, sequence, precision, attention and recipe;
/// its layout is filled in. Degrees that the row does not give are 1, data is from the rest of the
/// GPUs; passes and recompute are as usual (settle_passes). Throws ModelError when degrees and GPUs
/// contradict each other.
void lay_out(const TrainingMeasurement& row,
             const Cluster& cluster,
             const TrainingSettings& settings,
             TrainingJob& job,
             Assumptions& assumptions) {
    settle_degrees(row, job, assumptions);
    Layout& layout = job.layout;
    layout.tensor_across_nodes = true; // it was run, so it was intended
    settle_shard(row, job, assumptions);
    StatedPasses stated{{}, row.micro_batch, row.grad_accum, settings.recompute};
    if (row.global_batch) {
        stated.batch = std::max<std::int64_t>(1, *row.global_batch / layout.data);
        if (*row.global_batch % layout.data != 0)
            assumptions.push_back(
                fmt::format("global_batch: {} sequences per replica", *stated.batch));
    }
    const PassReasons why = settle_passes(job, stated, cluster, settings.overheads);
    for (std::string& line : why.assumptions(job))
        assumptions.push_back(std::move(line));
}

/// The cluster of a measured run. What is not published is as usual for the generation of the GPU.
Cluster measured_cluster(const TrainingMeasurement& row, const Gpu& gpu, Assumptions& assumptions) {
    const std::int64_t gpus = row.gpus.value_or(row.tensor.value_or(1) * row.pipeline.value_or(1) *
                                                row.context.value_or(1) * row.data.value_or(1));
    StatedNodes nodes{gpus, row.gpus_per_node, {}};
    if (row.inter_node_gbps)
        nodes.network = ByteRate{*row.inter_node_gbps * 1e9 / 8.0};
    return usual_cluster(gpu, nodes, UnknownLinks::pcie, &assumptions);
}

/// The settings of a measured run, its scaling by the words of its format and framework.
TrainingSettings settings_of(const TrainingMeasurement& row,
                             const TrainingJob& job,
                             const Gpu& gpu,
                             const StatedSharding& sharding,
                             const Stacks& stacks,
                             Assumptions& assumptions) {
    StatedTraining stated;
    stated.framework = row.framework;
    stated.tensor = row.tensor.value_or(1);
    stated.pipeline = row.pipeline.value_or(1);
    stated.context = row.context.value_or(1);
    if (row.gpus)
        stated.replicas = *row.gpus / (stated.tensor * stated.pipeline);
    stated.sequence = job.sequence;
    stated.precision = job.precision;
    const std::string format = lower_case(row.precision);
    stated.scaling = stated_scaling(format);
    stated.attention =
        stated_attention(row.attention, gpu, year_on(gpu, row.framework), assumptions);
    if (contains(format, "pure") || contains(format, "true"))
        stated.recipe = StateRecipe::pure_bf16;
    stated.sharding = sharding.sharding;
    stated.sequence_parallel = stated_sequence_parallel(row.sequence_parallel);
    if (stated.sequence_parallel &&
        (stated.tensor == 1 || job.sequence % (stated.tensor * stated.context) != 0))
        stated.sequence_parallel = false; // the ranks cannot share the sequence
    stated.recompute = stated_recompute(row.recompute);
    TrainingSettings settings = training_settings(stated, gpu, stacks);
    for (std::string& line : settings.assumptions())
        assumptions.push_back(std::move(line));
    return settings;
}

/// Adds a profile that was chosen as the nearest.
void assume_profile(const TrainingSettings& settings,
                    const std::string& framework,
                    Assumptions& assumptions) {
    if (!settings.why.stack.empty())
        assumptions.push_back("profile: " + settings.profile->name + " as the nearest to " +
                              (framework.empty() ? "an unnamed stack" : framework));
}

enum class Executed : bool { no, yes };

FlopConvention convention_of(std::string_view words) {
    const bool full = contains(words, "non-causal") || contains(words, "noncausal") ||
                      contains(words, "not causal") || contains(words, "full square");
    if (contains(words, "causal") && !full)
        return FlopConvention::causal;
    const bool six_n = contains(words, "6n") || contains(words, "6*n") || contains(words, "6 n");
    const bool attention = contains(words, "l*h") || contains(words, "attention") ||
                           contains(words, "s^2") || contains(words, "s/6h");
    return six_n && !attention && !full ? FlopConvention::six_n : FlopConvention::full_square;
}

/// FLOP of one step over all GPUs.
double step_flops(const TrainingMeasurement& row, const TrainingJob& job, Executed executed) {
    const Transformer& model = job.model;
    const FlopConvention convention = convention_of(lower_case(row.flop_convention));
    const double counted = flops_per_token(model, job.sequence, convention).count();
    double again = 0;
    if (executed == Executed::yes) {
        const double logits = 6.0 * static_cast<double>(model.vocab * model.hidden);
        const double products = flops_per_token(model, job.sequence, FlopConvention::six_n).count();
        const Recomputation& recompute = job.layout.recompute;
        if (recompute.what == Recompute::full)
            again = (counted - logits) / 3.0 / static_cast<double>(recompute.every);
        else if (recompute.what == Recompute::selective)
            again = (counted - products) / 3.0;
        else if (recompute.what == Recompute::operators)
            again = recomputed_flops(model, job.sequence, Recompute::operators).count();
    }
    return (counted + again) * static_cast<double>(job.layout.global_batch() * job.sequence);
}

/// The measured pass, from the begin of the notes of a benchmark of single passes.
MeasuredPart part_of(const std::string& notes) {
    const std::string words = lower_case(notes);
    const std::string first = words.substr(0, words.find_first_of(";,"));
    if (contains(first, "adam") || contains(first, "optimizer") || contains(first, "step"))
        return MeasuredPart::step;
    if (first == "forward+backward" || first == "fwd+bwd")
        return MeasuredPart::forward_backward;
    return first == "forward" || first == "fwd" ? MeasuredPart::forward : MeasuredPart::step;
}

const Architecture& network_named(const std::string& model, const Architectures& known) {
    const Architecture* best = nullptr;
    const std::string wanted = plain_name(model);
    for (const Architecture& architecture : known.all) {
        if (!std::holds_alternative<GenericNetwork>(architecture) ||
            !wanted.starts_with(plain_name(name(architecture))))
            continue;
        if (best == nullptr || name(architecture).size() > name(*best).size())
            best = &architecture;
    }
    if (best == nullptr)
        throw ModelError{
            "model", in_quotes(model) + " is not a network of known cost per sample", ""};
    return *best;
}

MeasuredSpeed speed_of(const TrainingMeasurement& row, const GenericJob& job) {
    const auto samples = static_cast<double>(job.batch * job.passes * job.gpus);
    if (row.step_s)
        return {"step_s", *row.step_s, {}};
    if (row.samples_per_s)
        return {"samples_per_s", *row.samples_per_s, samples};
    throw ModelError{"samples_per_s", "neither step time nor samples per second is published", ""};
}

/// The format that a row's peak is of, by the words of its precision.
Precision format_of_peak(std::string_view words) {
    if (contains(words, "fp8"))
        return Precision::fp8;
    if (contains(words, "fp4"))
        return Precision::nvfp4;
    if (contains(words, "tf32"))
        return Precision::tf32;
    return contains(words, "fp32") ? Precision::fp32 : Precision::bf16;
}

} // namespace

std::optional<MeasuredSpeed> measured_speed(const TrainingMeasurement& row,
                                            const TrainingJob& job,
                                            std::optional<FlopRate> peak) {
    const auto samples = static_cast<double>(job.layout.global_batch());
    const auto gpus = static_cast<double>(job.layout.gpus());
    if (row.step_s)
        return MeasuredSpeed{"step_s", *row.step_s, {}};
    if (row.samples_per_s)
        return MeasuredSpeed{"samples_per_s", *row.samples_per_s, samples};
    if (row.tokens_per_s_per_gpu)
        return MeasuredSpeed{"tokens_per_s_per_gpu",
                             *row.tokens_per_s_per_gpu,
                             samples * static_cast<double>(job.sequence) / gpus};
    const std::string words = lower_case(row.flop_convention);
    const bool hardware = contains(words, "hardware") || contains(words, "recompute counted");
    if (row.tflops_per_gpu) {
        const double flops = step_flops(row, job, hardware ? Executed::yes : Executed::no);
        return MeasuredSpeed{"tflops_per_gpu", *row.tflops_per_gpu, flops / gpus / 1e12};
    }
    const double rate = row.peak_tflops ? *row.peak_tflops * 1e12 : peak ? peak->count() : 0.0;
    if (rate <= 0)
        return std::nullopt;
    if (row.mfu_pct)
        return MeasuredSpeed{
            "mfu_pct", *row.mfu_pct, 100 * step_flops(row, job, Executed::no) / gpus / rate};
    if (row.hfu_pct)
        return MeasuredSpeed{
            "hfu_pct", *row.hfu_pct, 100 * step_flops(row, job, Executed::yes) / gpus / rate};
    return std::nullopt;
}

Gpu gpu_of_row(const TrainingMeasurement& row, const KnownWorld& world, Assumptions& assumptions) {
    std::optional<PublishedPeak> peak;
    if (row.peak_tflops)
        peak = PublishedPeak{*row.peak_tflops, format_of_peak(lower_case(row.precision))};
    return measured_gpu(row.gpu, peak, world.gpus, assumptions);
}

TrainingCase training_case(const TrainingMeasurement& row, const KnownWorld& world) {
    TrainingCase result;
    result.row = row;
    Assumptions& assumed = result.assumptions;
    TrainingJob& job = result.job;
    const Gpu gpu = gpu_of_row(row, world, assumed);
    job.model = measured_transformer(row, world.architectures, assumed);
    job.sequence = job.model.sequence;
    job.precision = stated_precision(row.precision, gpu, assumed);
    const StatedSharding sharding = stated_sharding(row.sharding, assumed);
    const TrainingSettings settings = settings_of(row, job, gpu, sharding, world.stacks, assumed);
    settings.apply_to(job);
    job.layout.offload_layers = noted_offload(row.notes).value_or(0);
    job.layout.offload_optimizer = sharding.offload_optimizer;
    job.layout.shard = sharding.shard;
    if (sharding.shard == 0 && job.layout.sharding == Sharding::zero1)
        job.layout.shard = noted_shard(row.notes).value_or(0);
    result.cluster = measured_cluster(row, gpu, assumed);
    lay_out(row, result.cluster, settings, job, assumed);
    result.part = part_of(row.notes);
    result.profile = settings.profile;
    result.overheads = settings.overheads;
    result.is_stack_known = settings.why.stack.empty();
    assume_profile(settings, row.framework, assumed);
    std::optional<FlopRate> peak;
    if (supports(result.cluster.gpu, job.precision))
        peak = dense_peak(result.cluster.gpu, job.precision);
    result.speed = measured_speed(row, job, peak);
    return result;
}

GenericCase generic_case(const TrainingMeasurement& row, const KnownWorld& world) {
    GenericCase result;
    GenericJob& job = result.job;
    const Architecture& network = network_named(row.model, world.architectures);
    job.network = std::get<GenericNetwork>(network);
    result.origin = world.architectures.origin(network).source;
    const Gpu gpu = gpu_of_row(row, world, result.assumptions);
    job.precision = stated_precision(row.precision, gpu, result.assumptions);
    job.gpus = row.gpus.value_or(row.data.value_or(1));
    job.passes = row.grad_accum.value_or(1);
    if (row.micro_batch) {
        job.batch = *row.micro_batch;
    } else if (row.global_batch) {
        job.batch = std::max<std::int64_t>(1, *row.global_batch / job.gpus / job.passes);
    } else {
        job.batch = 64;
        result.assumptions.emplace_back("micro_batch: 64");
    }
    result.cluster = measured_cluster(row, gpu, result.assumptions);
    const TrainingSettings settings = training_settings({.framework = row.framework,
                                                         .is_transformer = false,
                                                         .precision = job.precision,
                                                         .attention = Attention::flash2},
                                                        gpu,
                                                        world.stacks);
    result.profile = settings.profile;
    assume_profile(settings, row.framework, result.assumptions);
    result.speed = speed_of(row, job);
    return result;
}

}} // namespace bursar::scenarios
