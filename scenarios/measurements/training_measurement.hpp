#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/measurements/measurement_file.hpp"

namespace bursar { inline namespace scenarios {

/// One published training run; absent: not published. Units as in the column names; sizes are above
/// zero.
struct TrainingMeasurement {
    std::string id;
    bool has_own_id{}; ///< the file's id; else its name and line
    std::string file;  ///< without folders
    std::uint64_t line{};
    std::size_t position{}; ///< among the rows of its series in the file, from 0
    std::string source, model, arch, gpu, framework;
    std::string sharding, precision, recompute, attention, sequence_parallel;
    std::string flop_convention, notes;

    std::optional<double> params_b; ///< 1e9 parameters
    std::optional<std::int64_t> layers, hidden, ffn, heads, kv_heads, vocab, sequence;
    std::optional<std::int64_t> experts, experts_per_token;            ///< columns some files have
    std::optional<std::int64_t> global_batch, micro_batch, grad_accum; ///< sequences; passes
    std::optional<std::int64_t> gpus, gpus_per_node;
    std::optional<double> peak_tflops;
    std::optional<double> inter_node_gbps; ///< Gbit/s summed over the NICs of a node
    std::optional<std::int64_t> tensor, pipeline, chunks, context, expert, data;

    std::optional<double> step_s, tflops_per_gpu, mfu_pct, hfu_pct;
    std::optional<double> tokens_per_s_per_gpu, samples_per_s;
    std::optional<double> mem_gb; ///< GB or GiB, see notes
};

/// Reads one row of a file of training measurements. Throws ModelError for a field that is no
/// number, or not above zero; a degree of 0 is read as 1.
TrainingMeasurement training_measurement(const MeasurementFile& file, const MeasurementRow& row);

/// The series of a row: its source and framework. Odd and even rows are counted in a series.
std::string series_of(const MeasurementFile& file, const MeasurementRow& row);

}} // namespace bursar::scenarios
