#include "tests/plan_builder.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace bursar::test {

Plan plan_of(const std::vector<JobSpec>& jobs, std::vector<PlanPool> pools) {
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

void to_milliseconds(Plan& plan) {
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        plan.submit_ms[job] /= 1000;
        plan.work_ms[job] /= 1000;
    }
    for (PlanClass& job_class : plan.classes) {
        job_class.startup = Duration{job_class.startup.count() / 1000};
        job_class.teardown = Duration{job_class.teardown.count() / 1000};
        job_class.recovery = Duration{job_class.recovery.count() / 1000};
        job_class.save = Duration{job_class.save.count() / 1000};
        job_class.write = Duration{job_class.write.count() / 1000};
        job_class.increment = Duration{job_class.increment.count() / 1000};
        job_class.increment_write = Duration{job_class.increment_write.count() / 1000};
        job_class.interval = Duration{job_class.interval.count() / 1000};
    }
}

} // namespace bursar::test
