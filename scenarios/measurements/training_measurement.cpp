#include "scenarios/measurements/training_measurement.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// A degree of a kind of parallelism that a stack may lack; some tables print 0 for "not
/// used". Degrees of every layout (tensor, pipeline, data) are at least 1: a 0 is a mistake.
std::optional<std::int64_t>
optional_degree(const MeasurementFile& file, const MeasurementRow& row, std::string_view column) {
    const std::optional<double> value = file.number(row, column);
    return value == 0.0 ? std::optional<std::int64_t>{1} : file.count(row, column);
}

void read_texts(const MeasurementFile& file, const MeasurementRow& row, TrainingMeasurement& m) {
    const auto text = [&](std::string_view column) { return std::string{file.text(row, column)}; };
    m.source = text("source");
    m.model = text("model");
    m.arch = text("arch");
    m.gpu = text("gpu");
    m.framework = text("framework");
    m.precision = text("precision");
    m.attention = text("attention");
    m.sequence_parallel = text("seq_parallel");
    m.flop_convention = text("flop_convention");
    m.notes = text("notes");
    // In these columns "none" is a setting, not a missing value.
    const auto setting = [&](std::string_view column) {
        for (std::size_t i = 0; i < file.columns.size(); ++i)
            if (file.columns[i] == column)
                return row.fields[i];
        return std::string{};
    };
    m.sharding = setting("sharding");
    m.recompute = setting("recompute");
}

void read_shape(const MeasurementFile& file, const MeasurementRow& row, TrainingMeasurement& m) {
    m.params_b = file.positive(row, "params_b");
    m.layers = file.count(row, "layers");
    m.hidden = file.count(row, "hidden");
    m.ffn = file.count(row, "ffn");
    m.heads = file.count(row, "heads");
    m.kv_heads = file.count(row, "kv_heads");
    m.vocab = file.count(row, "vocab");
    m.sequence = file.count(row, "seq");
    m.experts = file.count(row, "experts");
    m.experts_per_token = file.count(row, "top_k");
}

void read_layout(const MeasurementFile& file, const MeasurementRow& row, TrainingMeasurement& m) {
    m.global_batch = file.count(row, "global_batch");
    m.micro_batch = file.count(row, "micro_batch");
    m.grad_accum = file.count(row, "grad_accum");
    m.gpus = file.count(row, "gpus");
    m.gpus_per_node = file.count(row, "gpus_per_node");
    m.peak_tflops = file.positive(row, "peak_tflops");
    m.inter_node_gbps = file.positive(row, "inter_node_gbps_per_node");
    m.tensor = file.count(row, "tp");
    m.pipeline = file.count(row, "pp");
    m.chunks = optional_degree(file, row, "vpp");
    m.context = optional_degree(file, row, "cp");
    m.expert = optional_degree(file, row, "ep");
    m.data = file.count(row, "dp");
}

void read_results(const MeasurementFile& file, const MeasurementRow& row, TrainingMeasurement& m) {
    m.step_s = file.positive(row, "step_s");
    m.tflops_per_gpu = file.positive(row, "tflops_per_gpu");
    m.mfu_pct = file.positive(row, "mfu_pct");
    m.hfu_pct = file.positive(row, "hfu_pct");
    m.tokens_per_s_per_gpu = file.positive(row, "tokens_per_s_per_gpu");
    m.samples_per_s = file.positive(row, "samples_per_s");
    m.mem_gb = file.positive(row, "mem_gb");
}

} // namespace

TrainingMeasurement training_measurement(const MeasurementFile& file, const MeasurementRow& row) {
    TrainingMeasurement m;
    m.id = file.id(row);
    m.has_own_id = !file.text(row, "id").empty();
    m.file = file.name;
    m.line = row.line;
    read_texts(file, row, m);
    read_shape(file, row, m);
    read_layout(file, row, m);
    read_results(file, row, m);
    return m;
}

std::string series_of(const MeasurementFile& file, const MeasurementRow& row) {
    return std::string{file.text(row, "source")} + '\n' + std::string{file.text(row, "framework")};
}

}} // namespace bursar::scenarios
