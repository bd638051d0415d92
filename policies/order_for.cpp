#include <algorithm>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/plan/job_groups.hpp"
#include "sim/plan/priority_order.hpp"

#include "policies/engine_choice.hpp"
#include "policies/queue/registry.hpp"
#include "policies/simulate.hpp"

namespace bursar {
namespace {

/// Orders the jobs of `plan` by value density; those of equal density by `policy.key(JobView)`,
/// least first, ties by submit order.
template <class Policy>
JobOrder order_by_value(const Plan& plan, const Policy& policy) {
    const PlanView view = view_of(plan);
    const HighestValueDensityFirst density;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> keys(plan.num_jobs());
    for (std::uint32_t job = 0; job < keys.size(); ++job)
        keys[job] = {density.key(view.view(job)), policy.key(view.view(job))};
    auto different = keys;
    std::ranges::sort(different);
    different.erase(std::ranges::unique(different).begin(), different.end());
    struct Composed {
        const std::vector<std::pair<std::uint64_t, std::uint64_t>>& of_job;
        const std::vector<std::pair<std::uint64_t, std::uint64_t>>& different;
        [[nodiscard]] std::uint64_t key(const JobView& job) const {
            const auto place = std::ranges::lower_bound(different, of_job[job.index]);
            return static_cast<std::uint64_t>(place - different.begin());
        }
    };
    return order_jobs(plan, Composed{keys, different});
}

} // namespace

JobOrder order_for(const Plan& plan, const PolicyChoice& choice) {
    JobOrder order;
    const PassKind pass = pass_kind(choice);
    if (pass == PassKind::arrivals)
        return order;
    [[maybe_unused]] const bool known =
        QueuePolicies::with(choice.queue, [&]<class P>(std::type_identity<P>) {
            constexpr OrderBy by = RuleOf<P>::traits.by;
            const RuleOf<P> policy = with_options<P>(choice.queue_options, plan);
            if constexpr (by == OrderBy::tenants)
                order = group_by_tenant(plan, policy);
            else if constexpr (by == OrderBy::ratio)
                order = group_by_weight(plan);
            else if (pass == PassKind::by_priority)
                order = order_by_priority(plan, policy);
            else if (pass == PassKind::by_value)
                order = order_by_value(plan, policy);
            else
                order = order_jobs(plan, policy);
        });
    assert(known);
    return order;
}

} // namespace bursar
