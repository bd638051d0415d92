#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "sim/plan/plan.hpp"

namespace bursar { inline namespace tools { namespace bench {

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

/// Deals the jobs of a plan to tenants of weights 1 to 4, the first ones having the most jobs
/// (Zipf's law, as users of real clusters do); gives each GPU 8 cores and 96 GiB and every gang
/// some of both.
inline void deal_to_tenants(Plan& plan, std::uint16_t num_tenants) {
    std::vector<double> share(num_tenants);
    for (std::size_t tenant = 0; tenant < num_tenants; ++tenant)
        share[tenant] = 1.0 / static_cast<double>(tenant + 1);
    std::discrete_distribution<int> draw{share.begin(), share.end()};
    std::mt19937_64 random{43};
    for (std::uint16_t& tenant : plan.tenant)
        tenant = static_cast<std::uint16_t>(draw(random));
    plan.num_tenants = num_tenants;
    for (std::uint32_t tenant = 0; tenant < num_tenants; ++tenant)
        plan.tenant_weight.push_back(1 + tenant % 4);
    for (PlanPool& pool : plan.pools) {
        pool.cpu_milli = 8'000 * pool.gpus_per_node;
        pool.memory_mib = 96 * 1024 * pool.gpus_per_node;
    }
    for (JobShape& shape : plan.shapes) {
        shape.cpu_milli = shape.gpus * (shape.gpus == 1 ? 12'000 : 4'000);
        shape.memory_mib = shape.gpus * (shape.gpus == 8 ? 96 : 32) * 1024;
    }
}

}}} // namespace bursar::tools::bench
