#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/calibration/error_range.hpp"
#include "models/training/job/layout.hpp"

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
    std::string source; ///< where it was published; empty: the file
    std::string file;
    std::string framework;
    std::string gpu;
    std::string quantity; ///< "step_s", "tflops_per_gpu", "mem_gb", "throughput", "time_us", ...
    std::string profile;  ///< stack profile or method
    std::string figure;   ///< of a single published figure: what it is, with its unit; else empty
    Tuning tuning{Tuning::unseen};
    double measured{};
    std::optional<double> predicted; ///< absent: not answered
    std::string why;                 ///< why not; empty when answered
    std::vector<std::string> assumptions;

    // Of the speed of a transformer.
    std::optional<AskedStep> asked;
    double time_ratio{};   ///< measured / modelled step time; 0: not answered
    bool measures_stack{}; ///< the step times of its profile were fitted on it
    bool is_refit{};       ///< not by the shipped constants but by others that did not see the row
    std::string rivals{};  ///< rows of equal text are layouts of one job
    Layout layout{};       ///< of the run
    std::optional<Distance> distance;
    ErrorRange range{}; ///< 80 % range of measured / predicted figure, where distance is known
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

/// Errors of step times, and how many rows their 80 % range holds.
struct Coverage {
    std::string of;              ///< a distance, or a file
    bool is_file{};              ///< else a distance
    bool is_mixture{};           ///< of a file: its mixtures of experts
    bool is_aside{};             ///< rows that no constant was fitted on; else the fitted ones
    std::size_t n{};             ///< rows
    std::size_t held{};          ///< by the shipped ranges
    std::size_t held_left_out{}; ///< by ranges learnt without the row's source
    double error_sum{};          ///< of absolute relative errors of the shipped profiles
    double error_sum_left_out{}; ///< of the predictions that did not see the row, where there are
};

struct Validation {
    std::vector<ValidatedRow> rows;
    std::vector<ValidationGroup> groups; ///< of rows, in the order of their first row
    std::vector<BaselineGuess> baselines;
    std::vector<Coverage> coverage; ///< of the ranges of step times
    std::vector<std::string> notes; ///< skipped files, and why
};

/// Groups `rows`: one group per file, framework, GPU, quantity, profile and tuning.
std::vector<ValidationGroup> grouped(const std::vector<ValidatedRow>& rows);

}} // namespace bursar::models
