#pragma once

#include <cstdint>
#include <map>
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
Plan plan_of(const std::vector<JobSpec>& jobs, std::vector<PlanPool> pools);

/// Divides every time of a plan by 1000: seconds become milliseconds.
void to_milliseconds(Plan& plan);

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
