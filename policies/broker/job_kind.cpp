#include "policies/broker/job_kind.hpp"

#include "models/units/int128.hpp"

namespace bursar::inline policies {

std::vector<JobKind> kinds_of(const Plan& plan) {
    std::vector<JobKind> kinds(1);
    std::vector<int128> work_ms(1);
    std::vector<std::int64_t> num_jobs(1);
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const JobShape& shape = plan.shapes[plan.shape[job]];
        const std::size_t row = shape.order_begin / plan.pools.size();
        if (row >= kinds.size()) {
            kinds.resize(row + 1);
            work_ms.resize(row + 1);
            num_jobs.resize(row + 1);
        }
        kinds[row].job_class = plan.job_class[job];
        kinds[row].gpus = shape.gpus;
        work_ms[row] += plan.work_ms[job];
        ++num_jobs[row];
    }
    for (std::size_t row = 0; row < kinds.size(); ++row)
        if (num_jobs[row] > 0)
            kinds[row].work = Duration{static_cast<std::int64_t>(work_ms[row] / num_jobs[row])};
    return kinds;
}

} // namespace bursar::inline policies
