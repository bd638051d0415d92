#include "policies/simulate.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/plan/job_groups.hpp"
#include "sim/plan/priority_order.hpp"
#include "sim/record/recorder.hpp"

#include "policies/backfill/registry.hpp"
#include "policies/engine_instances.hpp"
#include "policies/queue/registry.hpp"

namespace bursar {

std::string_view preemption_of(const PolicyChoice& choice) {
    if (!choice.preemption.empty())
        return choice.preemption;
    bool preempts = false;
    QueuePolicies::with(choice.queue,
                        [&]<class P>(std::type_identity<P>) { preempts = P::traits.preempts; });
    return preempts ? PreemptByOrder::name : NoPreemption::name;
}

HeadRule head_of(const PolicyChoice& choice) {
    const std::string_view preemption = preemption_of(choice);
    return preemption == PreemptByOrder::name || preemption == PreemptByQuantum::name
               ? HeadRule::skip
               : choice.head;
}

bool takes_turns(const PolicyChoice& choice) {
    return preemption_of(choice) == PreemptByQuantum::name &&
           choice.queue == FirstComeFirstServed::name;
}

bool needs_order(const PolicyChoice& choice) {
    return choice.queue != FirstComeFirstServed::name || choice.head != HeadRule::block ||
           choice.quantum > Duration{} || preemption_of(choice) != NoPreemption::name ||
           choice.backfill != NoBackfill::name;
}

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
    if (!needs_order(choice))
        return order;
    [[maybe_unused]] const bool known =
        QueuePolicies::with(choice.queue, [&]<class P>(std::type_identity<P>) {
            const P policy = with_options<P>(choice.queue_options, plan);
            if constexpr (orders_tenants<P>)
                order = group_by_tenant(plan, policy);
            else if constexpr (orders_by_ratio<P>)
                order = group_by_weight(plan);
            else if (preemption_of(choice) == PreemptByPriority::name)
                order = order_by_priority(plan, policy);
            else if (preemption_of(choice) == PreemptByValue::name)
                order = order_by_value(plan, policy);
            else
                order = order_jobs(plan, policy);
        });
    assert(known);
    return order;
}

PlaceWatch place_watch(const PolicyChoice& choice) {
    if (choice.capacity == capacity_count)
        return PlaceWatch::nothing;
    const bool only_head =
        choice.head == HeadRule::block && preemption_of(choice) == NoPreemption::name;
    return only_head ? PlaceWatch::head : PlaceWatch::all;
}

Run simulate(const Plan& plan,
             const JobOrder& order,
             const PolicyChoice& choice,
             Record wanted,
             Workspace& workspace,
             std::atomic<std::uint64_t>* finished_jobs) {
    Run run;
    if (wanted == Record::ledger) {
        NullRecorder none;
        run.outcome = run_choice<OneLane, NullRecorder>(
            plan, order, choice, workspace, [&]() -> auto& { return none; });
        return run;
    }
    const bool keeps_timeline = wanted == Record::timeline;
    TimelineRecorder recorder{plan};
    run.outcome =
        run_choice<OneLane, TimelineRecorder>(plan, order, choice, workspace, [&]() -> auto& {
            return recorder =
                       TimelineRecorder{plan, finished_jobs, place_watch(choice), keeps_timeline};
        });
    run.jobs = recorder.take_jobs(run.outcome.end);
    run.timeline = recorder.take_timeline();
    return run;
}

} // namespace bursar
