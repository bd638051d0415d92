#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace reports {

class JsonWriter;

/// One scalar of a result under the name that summary.json gives it, e.g. "cost.total".
struct Scalar {
    std::string name;
    std::optional<double> value; ///< absent where the result has none (a mean over no jobs)
};

/// A scalar over the runs of one scenario with different seeds.
struct RepeatedScalar {
    std::string name;
    std::uint64_t n{}; ///< runs that have a value; if 0, the figures below are undefined
    double mean{};
    double min{};
    double max{};
    std::optional<double> sd;      ///< sample standard deviation (n - 1); absent for n = 1
    std::optional<double> ci_low;  ///< 95 % interval of the mean, Student's t with n - 1 degrees
    std::optional<double> ci_high; ///< absent for n = 1, and over draws of one trace
    /// Of each run, in the order of the seeds.
    std::vector<std::optional<double>> by_seed{};

    bool operator==(const RepeatedScalar&) const = default;
};

/// How the scalars of a scenario vary from seed to seed.
struct Repeats {
    std::uint64_t n{}; ///< runs
    std::vector<RepeatedScalar> scalars;

    bool operator==(const Repeats&) const = default;
};

/// What the values of a scalar are.
enum class SeedValues : std::uint8_t {
    amounts,
    events, ///< numbers of what happens in a run now and then
};

/// An interval that holds the mean of a random value in about 95 % of cases.
struct MeanInterval {
    double low{};
    double high{};
    double p{}; ///< of a true mean of 0: below 0.05 where the interval leaves 0 out
};

/// An estimate of a mean, or of a difference of means.
struct MeanEstimate {
    double mean{};
    double error{};    ///< standard error of the mean
    double degrees{};  ///< degrees of freedom of the error; at least 1
    double widening{}; ///< what is added to the quantile of Student's t; at least 0
};

/// mean +- (t + widening) error.
[[nodiscard]] MeanInterval student_interval(const MeanEstimate& estimate);

/// Student's t, widened for skewed values by their skewness g: mean +- (t + w g^2 / n) s / sqrt(n).
/// values: at least two, drawn independently. widening: w >= 0; 0: the textbook's interval.
///
/// Two terms of the Edgeworth expansion of |t| give w = 2.1 at 95 %: z (z^4 + 2 z^2 - 3) / 18.
/// Source: Hall 1988, "On symmetric bootstrap confidence intervals", Journal of the Royal
/// Statistical Society B 50(1).
///
/// more_squares: added to the sum of squares from the mean; >= 0.
[[nodiscard]] MeanInterval
student_interval(std::span<const double> values, double widening, double more_squares = 0);

/// w of the intervals in reports: of few values the skewness is estimated too small. What it covers
/// was counted over other seeds and scenarios than it was chosen on: reports/OUTPUTS.md, "How often
/// intervals hold the mean".
inline constexpr double usual_widening = 4.2;

/// student_interval() with usual_widening.
[[nodiscard]] MeanInterval interval_of_mean(std::span<const double> values);

/// Fewer draws say nothing of the 2.5 % on either side.
inline constexpr std::uint64_t least_draws = 40;

/// The percentile bootstrap: from the 2.5 % to the 97.5 % quantile of values that were drawn anew
/// out of one sample, of what the sample estimates. More draws do not make it narrower. p: twice
/// the share of the values on the rarer side of 0, with one more there. Absent for fewer than
/// least_draws values.
///
/// Source: Efron and Tibshirani 1993, "An Introduction to the Bootstrap", chapter 13.
[[nodiscard]] std::optional<MeanInterval> interval_of_draws(std::span<const double> values);

/// The same of differences between numbers of rare events, which are 0 for most seeds. The interval
/// is as wide as if a seed with one event more and one with one event less were among them.
///
/// Source: Bonett and Price 2012, "Adjusted Wald confidence interval for a difference of binomial
/// proportions based on paired data", Journal of Educational and Behavioral Statistics 37(4).
[[nodiscard]] MeanInterval interval_of_mean_events(std::span<const double> differences);

/// How many values are not the most frequent one, if that is 1 to 4 of them and less than half;
/// else 0. An interval that rests on so few seeds is often too short.
[[nodiscard]] std::uint64_t deciding_seeds(std::span<const double> values);

/// Of the runs that have a value.
[[nodiscard]] std::uint64_t deciding_seeds(const RepeatedScalar& scalar);

/// " (2 seeds)", beside an interval that 2 seeds decide; empty for 0.
[[nodiscard]] std::string deciding_seeds_mark(std::uint64_t seeds);

/// What the mark means.
inline constexpr std::string_view deciding_seeds_note =
    "intervals marked (N seeds): only N seeds differ from the others, and the interval is often "
    "too short";

/// With fewer seeds intervals hold the mean less often than they say.
inline constexpr std::uint64_t enough_seeds = 10;

/// Says so. seeds: fewer than that.
[[nodiscard]] std::string few_seeds_note(std::uint64_t seeds);

/// "95 % interval", or "95 % interval (few seeds)".
[[nodiscard]] std::string_view interval_title(std::uint64_t seeds);

/// Statistics of one scalar over the runs that have a value.
[[nodiscard]] RepeatedScalar over_runs(std::string name, std::span<const double> values);

/// An interval that holds the value of one further run in about 95 % of cases.
struct PredictionInterval {
    double low{};
    double high{};
};

/// mean +- t s sqrt(1 + 1/n), of the logarithms where all values are above 0; absent for n < 2.
[[nodiscard]] std::optional<PredictionInterval> prediction_interval(const RepeatedScalar& scalar);

/// Statistics of each scalar over `runs`, which all hold the same names in the same order; at least
/// one run. These describe the spread between runs and are no totals: they are doubles.
[[nodiscard]] Repeats repeats_over(std::span<const std::vector<Scalar>> runs);

/// Without intervals of means: over draws out of one sample they would be as narrow as one likes.
[[nodiscard]] Repeats over_draws(Repeats repeats);

/// Members of the open object: n, mean, sd, min, max and the 95 % interval of the mean; null where
/// there are too few runs for them.
void write_statistics(const RepeatedScalar& scalar, JsonWriter& json);

}} // namespace bursar::reports
