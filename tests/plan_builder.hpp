#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/plan/plan.hpp"

namespace bursar::test {

/// One job of a hand-made plan; times in seconds, as the golden cases have them.
struct JobSpec {
    std::int64_t submit_s{};
    std::int64_t work_s{};
    std::uint32_t gpus{1};
    std::uint64_t permitted_pools{1};
    std::uint16_t tenant{0};
    JobEnd end{JobEnd::completed};
    std::uint16_t job_class{0};
};

inline PlanPool pool_of(std::uint32_t num_nodes, std::uint32_t gpus_per_node) {
    return {num_nodes, gpus_per_node, Purchase::owned, MoneyRate{1'000'000'000}, Duration{1}};
}

/// A plan from hand-made rows. Jobs must be sorted by submit time; pools are named by their index.
inline Plan plan_of(const std::vector<JobSpec>& jobs, std::vector<PlanPool> pools) {
    Plan plan;
    plan.pools = std::move(pools);
    plan.pool_preference.resize(plan.pools.size());
    std::iota(plan.pool_preference.begin(), plan.pool_preference.end(), std::uint16_t{0});
    plan.pools_by_name = plan.pool_preference;
    plan.classes.resize(1);
    // Fewest pools first, then by pool name (the lowest index first), then by size.
    const auto order = [](const JobSpec& job) {
        std::uint64_t by_name = 0;
        int count = 0;
        for (std::size_t p = 0; p < max_pools; ++p) {
            if ((job.permitted_pools >> p & 1U) == 0)
                continue;
            by_name |= std::uint64_t{1} << (max_pools - 1 - p);
            ++count;
        }
        return std::tuple{count, ~by_name, job.gpus};
    };
    std::map<decltype(order(jobs.front())), std::uint16_t> number;
    for (const JobSpec& job : jobs)
        number[order(job)] = 0;
    std::uint16_t next = 0;
    for (auto& [key, n] : number)
        n = next++;
    plan.shapes.resize(number.size());
    for (const JobSpec& job : jobs) {
        plan.shapes[number[order(job)]] = {job.gpus, job.permitted_pools};
        plan.submit_ms.push_back(job.submit_s * 1000);
        plan.work_ms.push_back(job.work_s * 1000);
        plan.shape.push_back(number[order(job)]);
        plan.job_class.push_back(job.job_class);
        plan.tenant.push_back(job.tenant);
        plan.end.push_back(job.end);
        plan.num_tenants = std::max<std::uint32_t>(plan.num_tenants, job.tenant + 1U);
    }
    return plan;
}

/// Divides every time of a plan by 1000: seconds become milliseconds.
inline void to_milliseconds(Plan& plan) {
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        plan.submit_ms[job] /= 1000;
        plan.work_ms[job] /= 1000;
    }
    for (PlanClass& job_class : plan.classes) {
        job_class.startup = Duration{job_class.startup.count() / 1000};
        job_class.teardown = Duration{job_class.teardown.count() / 1000};
    }
}

/// Splits the plan's classes by gang size, as compilation does for classes with a model, and gives
/// each a row of speeds: `draw(gpus) -> PlanSpeed` is asked once per row and pool.
template <class Draw>
void give_speeds(Plan& plan, Draw draw) {
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::uint16_t> numbers;
    std::vector<PlanClass> classes;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const std::pair key{plan.job_class[job], plan.gpus(job)};
        const auto [at, is_new] =
            numbers.try_emplace(key, static_cast<std::uint16_t>(classes.size()));
        if (is_new) {
            classes.push_back(plan.classes[key.first]);
            classes.back().speed_row = static_cast<std::uint16_t>(classes.size());
            for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
                plan.speeds.push_back(draw(key.second));
        }
        plan.job_class[job] = at->second;
    }
    plan.classes = classes;
}

} // namespace bursar::test
