#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bursar { inline namespace models {

/// A prediction and a measurement, in the same unit; measured: > 0.
struct Prediction {
    double predicted{};
    double measured{};

    /// (predicted - measured) / measured: 0.1 is 10 % too much.
    [[nodiscard]] double relative_error() const { return predicted / measured - 1.0; }
};

/// Errors of a set of predictions. All are fractions of the measured value; all are 0 for an
/// empty set.
struct ErrorStatistics {
    std::size_t n{};
    double mape{};           ///< mean of the absolute relative errors
    double median{};         ///< of the absolute relative errors
    double p90{};            ///< their 90th percentile
    double max{};            ///< the largest of them
    double bias{};           ///< mean of the signed relative errors: above 0 predicts too much
    double mean_log_error{}; ///< mean of |ln(predicted / measured)|: the same for 2x and 1/2
};

/// Percentiles interpolate linearly between order statistics (Hyndman and Fan 1996, type 7).
ErrorStatistics error_statistics(std::span<const Prediction> predictions);

/// The origin of a group's predictions.
enum class Tuning : std::uint8_t {
    unseen,   ///< constants were not fitted on this source
    tuned,    ///< constants were fitted on this source, maybe on these very rows
    held_out, ///< on other rows of this source: cross-validation, or the rows a profile left out
    exact     ///< a closed form without fitted constants, compared with conformance values
};

/// Whether constants of the group saw rows of its source.
[[nodiscard]] constexpr bool is_tuned(Tuning tuning) {
    return tuning == Tuning::tuned || tuning == Tuning::held_out;
}

/// One published value and the prediction of the model.
struct ValidatedRow {
    std::string id;
    std::string file;
    std::string framework;
    std::string gpu;
    std::string quantity; ///< "step_s", "tflops_per_gpu", "mem_gb", "throughput", "time_us", ...
    std::string profile;  ///< stack profile or method
    Tuning tuning{Tuning::unseen};
    double measured{};
    std::optional<double> predicted; ///< absent: not answered
    std::string why;                 ///< why not; empty when answered
    std::vector<std::string> assumptions;
};

/// Rows with equal file, framework, GPU, quantity and profile.
struct ValidationGroup {
    std::string file;
    std::string framework;
    std::string gpu;
    std::string quantity;
    std::string profile;
    Tuning tuning{Tuning::unseen};
    std::size_t n{};       ///< rows, answered or not
    ErrorStatistics error; ///< of the answered ones
};

/// A guess that needs no model, for comparison: one utilisation for a whole file.
struct BaselineGuess {
    std::string file;
    std::string quantity;
    double utilisation{}; ///< the best constant, 0..1: share of the dense peak
    ErrorStatistics guess;
    ErrorStatistics model; ///< of the same rows, by the shipped profiles
};

struct Validation {
    std::vector<ValidatedRow> rows;
    std::vector<ValidationGroup> groups; ///< of rows, in the order of their first row
    std::vector<BaselineGuess> baselines;
    std::vector<std::string> notes; ///< skipped files, and why
};

/// Groups `rows`: one group per file, framework, GPU, quantity, profile and tuning.
std::vector<ValidationGroup> grouped(const std::vector<ValidatedRow>& rows);

}} // namespace bursar::models
