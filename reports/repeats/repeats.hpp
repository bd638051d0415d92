#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
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
    std::optional<double> ci_high; ///< absent for n = 1
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

/// Statistics of one scalar over the runs that have a value.
[[nodiscard]] RepeatedScalar over_runs(std::string name, std::span<const double> values);

/// Statistics of each scalar over `runs`, which all hold the same names in the same order; at least
/// one run. These describe the spread between runs and are no totals: they are doubles.
[[nodiscard]] Repeats repeats_over(std::span<const std::vector<Scalar>> runs);

/// Members of the open object: n, mean, sd, min, max and the 95 % interval of the mean; null where
/// there are too few runs for them.
void write_statistics(const RepeatedScalar& scalar, JsonWriter& json);

}} // namespace bursar::reports
