#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "policies/policy_choice.hpp"
#include "policies/queue/registry.hpp"

#include "tests/oracle/naive_scheduler.hpp"

namespace bursar::test {

inline oracle::Saving saving_of(Checkpoint checkpoint) {
    switch (checkpoint) {
    case Checkpoint::on_preempt:
        return oracle::Saving::when_preempted;
    case Checkpoint::none:
        return oracle::Saving::never;
    case Checkpoint::every:
        return oracle::Saving::periodic;
    }
    return oracle::Saving::never;
}

/// A plan as the oracle wants it told: job by job, nothing shared.
inline std::vector<oracle::Request> requests_of(const Plan& plan) {
    std::vector<oracle::Request> requests;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const PlanClass& job_class = plan.classes[plan.job_class[job]];
        oracle::Request& request = requests.emplace_back();
        request.submit_ms = plan.submit_ms[job];
        request.work_ms = plan.work_ms[job];
        request.gpus = plan.gpus(job);
        request.permitted_pools = plan.shapes[plan.shape[job]].permitted_pools;
        request.startup_ms = job_class.startup.count();
        request.recovery_ms = job_class.recovery.count();
        request.teardown_ms = job_class.teardown.count();
        request.saving = saving_of(job_class.checkpoint);
        request.save_ms = job_class.save.count();
        request.interval_ms = job_class.interval.count();
        request.tenant = plan.tenant[job];
        if (!plan.estimate_ms.empty())
            request.estimate_ms = plan.estimate_ms[job];
        if (!plan.priority.empty())
            request.priority = plan.priority[job];
        if (!plan.deadline_ms.empty() && plan.deadline_ms[job] != no_deadline_ms)
            request.deadline_ms = plan.deadline_ms[job];
        if (!plan.value_nano_usd.empty())
            request.value = plan.value_nano_usd[job];
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
            if (const PlanSpeed* speed = plan.speed_of(job, pool)) {
                oracle::Pace& pace = request.paces.emplace_back();
                pace.speed = speed->speed;
                for (std::size_t stall = 0; stall < num_stalls; ++stall)
                    pace.idle_slots[stall] = speed->stalled_slots[stall];
            }
        }
    }
    return requests;
}

inline std::vector<oracle::Pool> pools_of(const Plan& plan) {
    std::vector<oracle::Pool> pools;
    for (const PlanPool& pool : plan.pools)
        pools.push_back({std::to_string(pools.size()), pool.num_nodes, pool.gpus_per_node});
    return pools;
}

/// An order that the oracle has no rule for: what its own functor makes of the jobs as they come.
inline void
set_keys(std::vector<oracle::Request>& requests, const Plan& plan, const PolicyChoice& choice) {
    QueuePolicies::with(choice.queue, [&]<class P>(std::type_identity<P>) {
        if constexpr (RuleOf<P>::traits.by == OrderBy::key) {
            const auto order = with_options<P>(choice.queue_options, plan);
            const PlanView view = view_of(plan);
            for (JobId job{0}; job < requests.size(); ++job)
                requests[job].key = order.key(view.view(job));
        }
    });
}

/// Throws std::out_of_range for a choice the oracle has no rule for, but for orders.
inline oracle::NaiveRules rules_of(const Plan& plan, const PolicyChoice& choice) {
    static const std::map<std::string, oracle::Order> orders{
        {"fifo", oracle::Order::fifo},
        {"sjf", oracle::Order::sjf},
        {"srtf", oracle::Order::srtf},
        {"smallest", oracle::Order::smallest},
        {"las", oracle::Order::las},
        {"priority", oracle::Order::priority},
        {"edf", oracle::Order::edf},
        {"value-density", oracle::Order::value_density}};
    static const std::map<std::string, oracle::PlacementRule> placements{
        {"first-fit", oracle::PlacementRule::first_fit},
        {"consolidated", oracle::PlacementRule::consolidated}};
    oracle::NaiveRules rules;
    const auto known = orders.find(choice.queue);
    rules.order = known == orders.end() ? oracle::Order::by_key : known->second;
    if (choice.queue == "srtf" && choice.queue_options.given().contains("by"))
        rules.order = oracle::Order::srtf_gpu_time;
    rules.head = choice.head == HeadRule::skip ? oracle::HeadRule::skip : oracle::HeadRule::block;
    rules.capacity = choice.capacity == capacity_count ? oracle::CapacityRule::count
                                                       : oracle::CapacityRule::nodes;
    if (choice.capacity == capacity_nodes)
        rules.placement = placements.at(choice.placement);
    static const std::map<std::string, oracle::Backfill> backfills{
        {"none", oracle::Backfill::none}, {"easy", oracle::Backfill::easy}};
    rules.backfill = backfills.at(choice.backfill);
    rules.stop =
        preemption_of(choice) == preemption_order ? oracle::Stop::order : oracle::Stop::never;
    if (choice.preemption_options.given().contains("unfinished_recovery"))
        rules.restart = oracle::RestartRule::adds_up;
    if (choice.queue == "las") {
        rules.ties = oracle::TieRule::running_first;
        const auto& given = choice.queue_options.given();
        rules.las_by_gpu_time = !given.contains("by");
        rules.las_limits = given.at(rules.las_by_gpu_time ? "levels" : "times");
        rules.las_wake =
            given.contains("wake") ? oracle::WakeRule::tiresias : oracle::WakeRule::exact;
    }
    rules.pool_preference.assign(plan.pool_preference.begin(), plan.pool_preference.end());
    return rules;
}

inline oracle::History ask_oracle(const Plan& plan, const PolicyChoice& choice) {
    const oracle::NaiveRules rules = rules_of(plan, choice);
    std::vector<oracle::Request> requests = requests_of(plan);
    if (rules.order == oracle::Order::by_key)
        set_keys(requests, plan, choice);
    return oracle::NaiveScheduler{std::move(requests), pools_of(plan), rules}.run();
}

} // namespace bursar::test
