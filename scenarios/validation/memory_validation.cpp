#include <charconv>
#include <optional>

#include "models/errors/model_error.hpp"
#include "models/training/memory/activations.hpp"
#include "models/training/memory/memory.hpp"
#include "models/training/memory/states.hpp"

#include "scenarios/catalog/training_defaults.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/measurements/measured_transformer.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/validation/file_validators.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The row's job; these tables name no GPU, and none is needed.
TrainingJob
memory_job(const TrainingMeasurement& row, const KnownWorld& world, Assumptions& assumptions) {
    TrainingJob job;
    job.model = measured_transformer(row, world.architectures, assumptions);
    job.sequence = job.model.sequence;
    Layout& layout = job.layout;
    layout.tensor = row.tensor.value_or(1);
    layout.pipeline = row.pipeline.value_or(1);
    layout.context = row.context.value_or(1);
    layout.chunks = layout.pipeline > 1 ? row.chunks.value_or(1) : 1;
    const std::int64_t replica = layout.tensor * layout.pipeline * layout.context;
    // Some tables print dp next to degrees that already use all GPUs.
    layout.data = row.gpus ? std::max<std::int64_t>(1, *row.gpus / replica) : row.data.value_or(1);
    layout.micro_batch = row.micro_batch.value_or(1);
    layout.micro_batches = row.grad_accum.value_or(layout.pipeline * layout.chunks);
    Gpu any;
    any.dense_peak_tflops.fill(1.0);
    const StatedSharding sharding = stated_sharding(row.sharding, assumptions);
    layout.sharding = sharding.sharding.value_or(
        training_settings({.framework = row.framework}, any, world.stacks).sharding);
    layout.offload_optimizer = sharding.offload_optimizer;
    const std::optional<Recomputation> recompute = stated_recompute(row.recompute);
    layout.recompute = recompute.value_or(Recompute::none);
    if (!recompute)
        assumptions.emplace_back("recompute: none, not published");
    layout.sequence_parallel = row.sequence_parallel == "1";
    layout.tensor_across_nodes = true;
    job.precision = stated_precision(row.precision, any, assumptions);
    job.attention =
        stated_attention(row.attention, any, 2022, assumptions).value_or(Attention::unfused);
    return job;
}

/// Activations of the layers on the first stage.
double held_activations(const TrainingJob& job) {
    return kept_by_layers(layer_activations(job),
                          job.layout.recompute,
                          layers_per_stage(job.model.layers, job.layout.pipeline))
               .count() *
           micro_batches_in_flight(job.layout, 0);
}

double layer_states(const TrainingJob& job) {
    RankParameters held = rank_parameters(job.model, job.layout, 0);
    held.embedding = 0;
    return model_states(job, held, {}).total().count();
}

double percent_of_baseline(const TrainingJob& job) {
    TrainingJob baseline = job;
    baseline.layout.recompute = Recompute::none;
    baseline.layout.sequence_parallel = false;
    return 100.0 * held_activations(job) / held_activations(baseline);
}

/// "largest layer 32M params" -> 32e6.
std::optional<double> largest_layer(std::string_view notes) {
    const std::size_t at = notes.find("largest layer ");
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view text = notes.substr(at + 14);
    double value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{})
        return std::nullopt;
    const char unit = rest != text.data() + text.size() ? *rest : ' ';
    return value * (unit == 'B' || unit == 'b' ? 1e9 : unit == 'M' || unit == 'm' ? 1e6 : 1.0);
}

/// DeepSpeed's own estimate of the states.
double deepspeed_states(const TrainingMeasurement& row) {
    if (!row.params_b)
        throw ModelError{"params_b", "is not published", ""};
    const std::string words = lower_case(row.sharding);
    DeepSpeedEstimate estimate;
    estimate.parameters = *row.params_b * 1e9;
    estimate.gpus = static_cast<double>(row.gpus.value_or(row.data.value_or(1)));
    estimate.offload_optimizer = contains(words, "offload") && contains(words, "optimizer");
    estimate.offload_parameters = contains(words, "offload") && contains(words, "param");
    if (contains(words, "zero2"))
        return deepspeed_zero2_estimate(estimate).count();
    if (!contains(words, "zero3"))
        throw ModelError{"sharding", in_quotes(row.sharding) + " has no estimate", ""};
    const std::optional<double> layer = largest_layer(lower_case(row.notes));
    if (!layer)
        throw ModelError{"notes", "the largest layer is not published", ""};
    estimate.largest_layer = *layer;
    return deepspeed_zero3_estimate(estimate).count();
}

/// Driver context of a process by PyTorch release (ml-engineering 744d01e18b, on A100): 1.78 GiB
/// before 1.13, 0.9 before modules were loaded lazily (2.1), the default overhead since.
ByteVolume context_of(std::string_view stack, const MemoryOverheads& overheads) {
    const std::string words = lower_case(stack);
    const std::size_t at = words.find("pt");
    double major = 2;
    int minor = 1;
    if (at != std::string::npos && words.find('.', at) != std::string::npos) {
        const std::size_t dot = words.find('.', at);
        std::from_chars(words.data() + at + 2, words.data() + dot, major);
        std::from_chars(words.data() + dot + 1, words.data() + words.size(), minor);
    }
    if (major < 2)
        return ByteVolume{(minor < 13 ? 1.78 : 0.9) * bytes_per_gib};
    return contains(words, "eager") ? ByteVolume{0.9 * bytes_per_gib} : overheads.context;
}

double unit_of(std::string_view unit) {
    const std::string text = lower_case(unit);
    if (text.starts_with("gib"))
        return bytes_per_gib;
    if (text.starts_with("gb"))
        return bytes_per_gb;
    if (text.starts_with("mib"))
        return bytes_per_gib / 1024.0;
    if (text.starts_with("mb"))
        return bytes_per_gb / 1e3;
    return text == "bytes" || text == "b"
               ? 1.0
               : throw ModelError{"unit", in_quotes(unit) + " is not a unit of memory", ""};
}

/// The formula for the words of `quantity`, and its result in the row's unit.
void answer(const MeasurementFile& file,
            const MeasurementRow& row,
            const KnownWorld& world,
            ValidatedRow& result) {
    if (!row.problem.empty())
        throw ModelError{"row", row.problem, ""};
    const std::optional<double> value = file.positive(row, "value");
    if (!value)
        throw ModelError{"value", "is not published", ""};
    result.measured = *value;
    const std::string words = lower_case(file.text(row, "quantity"));
    const std::string_view unit = file.text(row, "unit");
    const TrainingMeasurement read = training_measurement(file, row);
    const MemoryOverheads overheads = memory_overheads_of(read.framework);
    if (contains(words, "model states"))
        result.predicted = deepspeed_states(read) / unit_of(unit);
    else if (contains(words, "context"))
        result.predicted = context_of(read.model, overheads).count() / unit_of(unit);
    else if (contains(words, "collective") || contains(words, "nccl"))
        result.predicted = overheads.communicators.count() / unit_of(unit);
    if (result.predicted)
        return;
    const TrainingJob job = memory_job(read, world, result.assumptions);
    const MemoryUse use = memory_use(job, overheads);
    if (contains(words, "percent"))
        result.predicted = percent_of_baseline(job);
    else if (contains(words, "bytes per layer"))
        result.predicted = layer_copies(job.model, KernelFusion::eager).total();
    else if (contains(words, "activation"))
        result.predicted = held_activations(job) / unit_of(unit);
    else if (contains(words, "optimizer") || contains(words, "states"))
        result.predicted = layer_states(job) / unit_of(unit);
    else if (contains(words, "allocated"))
        result.predicted = use.allocated().count() / unit_of(unit);
    else if (contains(words, "reserved"))
        result.predicted = use.reserved().count() / unit_of(unit);
    else if (contains(words, "peak") || contains(words, "total") || contains(words, "memory"))
        result.predicted = use.total().count() / unit_of(unit);
    else
        throw ModelError{"quantity", in_quotes(words) + " is none the model knows", ""};
}

} // namespace

void validate_memory(const MeasurementFile& file, const KnownWorld& world, Validation& validation) {
    for (const MeasurementRow& row : file.rows) {
        ValidatedRow blank = blank_row(file, row);
        const std::string notes = lower_case(file.text(row, "notes"));
        const std::string words = lower_case(file.text(row, "quantity"));
        blank.framework = file.text(row, "source");
        blank.quantity = file.text(row, "quantity");
        blank.profile = "memory model";
        // Overheads are constants read from such rows; all other terms are computed.
        if (contains(words, "context") || contains(words, "first collective"))
            blank.tuning = Tuning::tuned;
        else if (contains(notes, "conformance") || contains(notes, "analytic") ||
                 contains(words, "estimate"))
            blank.tuning = Tuning::exact;
        add_row(validation, blank, [&](ValidatedRow& result) { answer(file, row, world, result); });
    }
}

}} // namespace bursar::scenarios
