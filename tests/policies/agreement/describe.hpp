#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/plan/plan.hpp"

#include "tests/oracle/naive_job.hpp"
#include "tests/policies/properties/attempt_log.hpp"

namespace bursar::test {

inline std::string describe_rule(const Plan& plan, std::size_t pool) {
    const PlanProvisioning& rule = plan.provisioning[pool];
    if (rule.is_fixed)
        return fmt::format(
            "nodes of pool {}: {} spare, takeover {}\n", pool, rule.spare_nodes, rule.takeover_ms);
    std::string out =
        fmt::format("nodes of pool {}: first {} min {} warm {} queue {} cancels {} "
                    "reclaims {} idle {} every {} max {} paid {} step {} retry {} to {} boots",
                    pool,
                    rule.first_nodes,
                    rule.min_nodes,
                    rule.warm_nodes,
                    rule.follows_queue,
                    rule.cancels_boots,
                    static_cast<int>(rule.reclaims),
                    rule.idle_timeout_ms,
                    rule.launch_every_ms,
                    rule.max_launches,
                    rule.min_paid_ms,
                    plan.pools[pool].billing_step.count(),
                    rule.retry_ms,
                    rule.max_retry_ms);
    for (std::uint32_t i = 0; i < 1U << rule.boot_bits; ++i)
        out += fmt::format(" {}", plan.boot_ms[rule.boot_begin + i]);
    return out + "\n";
}

inline std::string describe_event(const WorldEvent& event) {
    const auto pool = static_cast<std::uint32_t>(event.pool());
    const std::uint32_t number = event.number();
    const auto what = [&]() -> std::string {
        switch (event.kind()) {
        case WorldEventKind::stop_job:
            return fmt::format("job {} stops", std::uint32_t{event.as<StopJob>().job});
        case WorldEventKind::node_offline:
            return fmt::format("pool {} node {} goes offline", pool, number);
        case WorldEventKind::node_online:
            return fmt::format("pool {} node {} goes online", pool, number);
        case WorldEventKind::supply:
            return fmt::format("of pool {} {} nodes can be had", pool, number);
        case WorldEventKind::min_nodes:
            return fmt::format("pool {} has at least {} nodes", pool, number);
        case WorldEventKind::node_closes:
            return fmt::format("pool {} node {} closes", pool, number);
        case WorldEventKind::launches:
            return fmt::format("launches of pool {} {}", pool, number == 0 ? "fail" : "work");
        case WorldEventKind::pool_admits:
            return fmt::format("pool {} {}", pool, number == 0 ? "shuts" : "opens");
        case WorldEventKind::shape_admits:
            return fmt::format("jobs of shape {} are {}",
                               std::uint32_t{event.as<ShapeAdmission>().shape},
                               number == 0 ? "barred" : "let in");
        case WorldEventKind::run_closes:
            return "the run closes";
        case WorldEventKind::pool_order:
            return fmt::format("the order of pools {} comes", number);
        }
        return "";
    };
    return fmt::format("at {}: {}, cause {}, held for {}\n",
                       event.time_ms,
                       what(),
                       static_cast<int>(event.cause()),
                       event.span_ms());
}

/// A plan in readable form, for a failing case's log.
inline std::string describe(const Plan& plan) {
    std::string out;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        out += fmt::format(
            "pool {}: {} x {}\n", pool, plan.pools[pool].num_nodes, plan.pools[pool].gpus_per_node);
    out += "broker's order:";
    for (const std::uint16_t pool : plan.pool_preference)
        out += fmt::format(" {}", pool);
    out += "\n";
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const PlanClass& job_class = plan.classes[plan.job_class[job]];
        out += fmt::format("job {}: submit {} work {} gpus {} pools {:b} tenant {} | startup {} "
                           "recovery {} teardown {} checkpoint {} save {} interval {} write {} "
                           "increment {} written {} full every {}",
                           job,
                           plan.submit_ms[job],
                           plan.work_ms[job],
                           plan.gpus(job),
                           plan.shapes[plan.shape[job]].permitted_pools,
                           plan.tenant[job],
                           job_class.startup.count(),
                           job_class.recovery.count(),
                           job_class.teardown.count(),
                           static_cast<int>(job_class.checkpoint),
                           job_class.save.count(),
                           job_class.interval.count(),
                           job_class.write.count(),
                           job_class.increment.count(),
                           job_class.increment_write.count(),
                           job_class.full_every);
        if (plan.has_dependencies() && plan.num_needed[job] > 0)
            out += fmt::format(" needs {} jobs, then thinks {}",
                               plan.num_needed[job],
                               plan.think_ms.empty() ? 0 : plan.think_ms[job]);
        for (std::uint32_t at = plan.has_dependencies() ? plan.dependent_begin[job] : 0;
             plan.has_dependencies() && at < plan.dependent_begin[job + 1];
             ++at)
            out += fmt::format(" before {}", plan.dependents[at]);
        if (job_class.drops_late && plan.deadline_ms[job] != no_deadline_ms)
            out += fmt::format(" dropped if late for {}", plan.deadline_ms[job]);
        if (!plan.estimate_ms.empty())
            out += fmt::format(" estimate {}", plan.estimate_ms[job]);
        if (!plan.priority.empty())
            out += fmt::format(" priority {}", plan.priority[job]);
        if (!plan.value_nano_usd.empty())
            out += fmt::format(" value {}", plan.value_nano_usd[job]);
        if (const std::uint16_t row = plan.shapes[plan.shape[job]].fallback; row != 0)
            out += fmt::format(" falls back to {:b} by {}, loses {}, boots {}, keeps pace {}",
                               plan.fallbacks[row - 1].late_pools,
                               plan.deadline_ms[job],
                               plan.fallbacks[row - 1].loss_ms,
                               plan.fallbacks[row - 1].boot_ms,
                               plan.keeps_pace);
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
            if (const PlanSpeed* speed = plan.speed_of(job, pool))
                out += fmt::format(" speed {}", speed->speed);
            if (!plan.own_failures.empty())
                out += fmt::format(
                    " fails {}",
                    plan.own_failures[plan.job_class[job] * plan.pools.size() + pool].rate(
                        plan.gpus(job)));
        }
        out += "\n";
    }
    for (std::size_t pool = 0; pool < plan.slow_begin.size(); ++pool)
        for (std::uint32_t node = 0; node < plan.pools[pool].num_nodes; ++node)
            if (plan.slow_nodes[plan.slow_begin[pool] + node] != 0)
                out += fmt::format("pool {} node {} is slow\n", pool, node);
    for (std::size_t pool = 0; pool < plan.provisioning.size(); ++pool)
        out += describe_rule(plan, pool);
    for (const PlanQuota& quota : plan.quotas)
        out += fmt::format("quota of pools {:b}: {} nodes\n", quota.pools, quota.max_nodes);
    for (const WorldEvent& event : plan.world)
        out += describe_event(event);
    return out;
}

template <class Attempt>
std::string describe_attempt(const Attempt& attempt) {
    return fmt::format("  job {} pool {}: {} to {}, cause {}\n",
                       attempt.job,
                       attempt.pool,
                       attempt.start_ms,
                       attempt.end_ms,
                       static_cast<int>(attempt.cause));
}

inline std::string describe(const AttemptLog& log, const oracle::History& expected) {
    std::string out = "engine:\n";
    for (const LoggedAttempt& attempt : log.attempts)
        out += describe_attempt(attempt);
    out += "oracle:\n";
    std::vector<oracle::AttemptRow> attempts = expected.attempts;
    std::ranges::stable_sort(attempts, {}, &oracle::AttemptRow::start_ms);
    for (const oracle::AttemptRow& attempt : attempts)
        out += describe_attempt(attempt);
    return out;
}

} // namespace bursar::test
