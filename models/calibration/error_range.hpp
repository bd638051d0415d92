#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bursar { inline namespace models {

/// The range of truth / prediction that holds in 80 % of cases: of a step time of 2 s, 0.9 and 1.3
/// mean 1.8 to 2.6 s. A rate has the inverse range.
struct ErrorRange {
    double low{1};  ///< > 0, at most `high`
    double high{1}; ///< above 1 for a prediction that may be too low

    bool operator==(const ErrorRange&) const = default;
    [[nodiscard]] bool holds(double ratio) const { return low <= ratio && ratio <= high; }
    /// The range of 1 / prediction.
    [[nodiscard]] ErrorRange inverse() const { return {1 / high, 1 / low}; }
    /// The larger of its two sides, as a share of the prediction: 0.3 for 0.9 to 1.3.
    [[nodiscard]] double larger_side() const { return high - 1 > 1 - low ? high - 1 : 1 - low; }
};

/// The narrowest range that holds both.
[[nodiscard]] ErrorRange united(const ErrorRange& one, const ErrorRange& other);

/// The share of cases that a range is meant to hold.
inline constexpr double range_share = 0.8;

/// The 80 % range of a prediction of which only the mean absolute error is known, a share >=
/// 0. 1.61 times the mean absolute error holds 80 % of the cases of a normal and of a Laplace error
/// alike.
[[nodiscard]] ErrorRange range_of_mean_error(double mean_absolute_error);

/// How far a training job is from the measured ones, nearest first.
enum class Distance : std::uint8_t {
    measured,      ///< same stack and GPU, within the sizes of the rows
    other_gpu,     ///< same stack, another GPU
    beyond_sizes,  ///< same stack; more GPUs, parameters or tokens than any row has, or fewer
    nearest_stack, ///< no profile of its stack, the nearest is taken
    other_family,  ///< a GPU that no stack was measured on
    mixture        ///< a mixture of experts
};

inline constexpr std::size_t num_distances = 6;
inline constexpr std::array<std::string_view, num_distances> distance_names{
    "measured", "other-gpu", "beyond-sizes", "nearest-stack", "other-family", "mixture"};

[[nodiscard]] constexpr std::string_view name(Distance distance) {
    return distance_names[static_cast<std::size_t>(distance)];
}

/// The facts of a training job that decide how sure its step time is.
struct AskedStep {
    std::string stack{};   // `{}`: g++ warns of a text that an initializer leaves out without it
    bool is_stack_known{}; ///< named, or the profile of the job's framework; else the nearest one
    std::optional<double> held_out_error{}; ///< StackProfile::held_out_error
    std::string gpu{};                      ///< catalogue name
    bool is_mixture{};
    double gpus{};
    double parameters{};
    double sequence{}; ///< tokens
};

/// Truth / prediction of one row that was not used to make the prediction.
struct Residual {
    std::string source; ///< where the row was published
    double ratio{};     ///< > 0
};

/// A range that was learnt from rows.
struct LearntRange {
    ErrorRange range;
    std::int64_t rows{};
    std::int64_t sources{};

    bool operator==(const LearntRange&) const = default;
};

/// The 10th and 90th percentile of the residuals, each source with the same weight, however many
/// rows it has; both at 1 or beyond it. With three sources or more the logarithms of both are
/// widened by one factor, at most 1.5, until ranges learnt without a source hold 80 % of its rows
/// in the mean over the sources. Absent without residuals.
[[nodiscard]] std::optional<LearntRange> learn_range(std::span<const Residual> residuals);

}} // namespace bursar::models
