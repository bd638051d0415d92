#pragma once

#include "models/units/physics.hpp"

/// How often jobs are interrupted (FORMULAS 6.4).
namespace bursar { inline namespace models {

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

}} // namespace bursar::models
