#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include "sim/plan/plan.hpp"

namespace bursar::bench {

/// A seeded stream of `num_jobs` jobs for a cluster of `num_gpus` in nodes of 8: Poisson arrivals,
/// lognormal run times (median 15 min, mean 1 h, whole seconds), gangs of 1 (70 %), 2, 4 and 8 (10
/// % each). `load`: offered GPU time over capacity; above 1 the queue grows without end.
inline Plan make_plan(std::uint32_t num_jobs, std::uint32_t num_gpus, double load) {
    Plan plan;
    plan.shapes = {{1, 1}, {2, 1}, {4, 1}, {8, 1}};
    plan.classes.resize(1);
    plan.pools = {{num_gpus / 8, 8, Purchase::owned, MoneyRate{950'000'000}, Duration{1}}};
    plan.pool_preference = plan.pools_by_name = {0};
    plan.submit_ms.reserve(num_jobs);
    plan.work_ms.reserve(num_jobs);
    plan.shape.reserve(num_jobs);
    plan.job_class.assign(num_jobs, 0);
    plan.tenant.assign(num_jobs, 0);
    plan.end.assign(num_jobs, JobEnd::completed);

    constexpr double median_s = 900.0;
    constexpr double mean_s = 3600.0;
    constexpr double mean_gpus = 0.7 + 0.1 * (2 + 4 + 8);
    const double sigma = std::sqrt(2.0 * std::log(mean_s / median_s));
    const double mean_gap_ms = 1000.0 * mean_s * mean_gpus / (load * num_gpus);
    std::mt19937_64 random{42};
    std::exponential_distribution<double> gap{1.0 / mean_gap_ms};
    std::lognormal_distribution<double> run_s{std::log(median_s), sigma};
    std::discrete_distribution<int> shape{70, 10, 10, 10};
    double now_ms = 0.0;
    for (std::uint32_t job = 0; job < num_jobs; ++job) {
        plan.submit_ms.push_back(static_cast<std::int64_t>(now_ms));
        plan.work_ms.push_back(1000 * (1 + static_cast<std::int64_t>(run_s(random))));
        plan.shape.push_back(static_cast<std::uint16_t>(shape(random)));
        now_ms += gap(random);
    }
    return plan;
}

} // namespace bursar::bench
