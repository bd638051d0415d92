#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/physics.hpp"

/// How often jobs are interrupted (FORMULAS 6.4).
namespace bursar {

/// Failures of a job = per_job + nodes · per_node: users, schedulers and lemon nodes end jobs
/// whatever their size; broken machines end them in proportion to it.
struct FailureRates {
    double per_job_day{};  ///< >= 0
    double per_node_day{}; ///< >= 0
};

/// Mean time between failures of a job: 1 day / (per_job + nodes · per_node + preemptions).
///
/// nodes: > 0. preemptions_per_day: of the whole job, >= 0. Throws ModelError for values out of
/// range and when nothing ever fails.
[[nodiscard]] Seconds
mean_time_between_failures(const FailureRates& rates, double nodes, double preemptions_per_day = 0);

/// Jobs of one size and how long they ran between failures.
struct FailureObservation {
    double nodes{}; ///< > 0
    Seconds mean_time;
};

/// The rates under which both observations come out. Throws ModelError when the sizes are equal or
/// a rate would be negative: then failures do not grow with size, or grow faster than it.
[[nodiscard]] FailureRates fit_failure_rates(const FailureObservation& small,
                                             const FailureObservation& large);

/// Measurements and projections that rates are taken from, for nodes of 8 GPUs.
namespace published {
/// Kokolis et al., arXiv:2410.21680 (HPCA 2025): Meta RSC-1, A100; measured.
inline constexpr FailureObservation rsc1_1024_gpus{128, Seconds{7.9 * seconds_per_hour}};
/// The same: projected from 6.5 failures per 1000 node-days.
inline constexpr FailureObservation rsc1_16384_gpus{2048, Seconds{1.8 * seconds_per_hour}};
/// Llama 3 405B, arXiv:2407.21783 section 3.3.4: 419 unexpected interruptions in 54 days; measured.
inline constexpr FailureObservation llama3_16384_gpus{2048, Seconds{54 * seconds_per_day / 419}};
} // namespace published

/// Rates somebody published, or fitted to what was published.
struct NamedFailureRates {
    std::string_view name;
    FailureRates rates;
    double least_nodes{}; ///< sizes it was found on
    double most_nodes{};
    std::string_view source;
};

/// The first is the default: exactly through the measured 7.9 h of 1024 GPUs, and at 16384 GPUs
/// through 2.36 h, the geometric mean of the projected 1.8 h and the measured 3.09 h (the least
/// squares fit in log time to the three).
[[nodiscard]] const std::array<NamedFailureRates, 4>& published_failure_rates();

/// The rates of that name; null if there are none.
[[nodiscard]] const NamedFailureRates* find_failure_rates(std::string_view name);
[[nodiscard]] std::vector<std::string> failure_rate_names();

} // namespace bursar
