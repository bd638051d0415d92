#include "tests/policies/agreement/tell_world.hpp"

#include <cstdint>

#include "models/random/philox.hpp"

namespace bursar::test {
namespace {

oracle::WorldChange::Kind kind_of(const WorldEvent& event) {
    switch (event.kind()) {
    case WorldEventKind::stop_job:
        return oracle::WorldChange::Kind::stop_job;
    case WorldEventKind::node_offline:
        return oracle::WorldChange::Kind::node_offline;
    case WorldEventKind::node_online:
        return oracle::WorldChange::Kind::node_online;
    case WorldEventKind::supply:
        return oracle::WorldChange::Kind::supply;
    case WorldEventKind::min_nodes:
        return oracle::WorldChange::Kind::least_nodes;
    case WorldEventKind::node_closes:
        return oracle::WorldChange::Kind::node_closes;
    case WorldEventKind::launches:
        return event.as<LaunchesChange>().succeed ? oracle::WorldChange::Kind::launches_work
                                                  : oracle::WorldChange::Kind::launches_fail;
    case WorldEventKind::pool_admits:
        return event.as<PoolAdmission>().opens ? oracle::WorldChange::Kind::pool_opens
                                               : oracle::WorldChange::Kind::pool_shuts;
    case WorldEventKind::shape_admits:
        return event.as<ShapeAdmission>().opens ? oracle::WorldChange::Kind::job_let_in
                                                : oracle::WorldChange::Kind::job_barred;
    case WorldEventKind::run_closes:
        return oracle::WorldChange::Kind::last_call;
    case WorldEventKind::pool_order:
        break; // it has prices of its own
    }
    return oracle::WorldChange::Kind::stop_job;
}

/// Causes have the same names here and there.
oracle::Cause cause_of(StopCause cause) {
    switch (cause) {
    case StopCause::none:
        return oracle::Cause::none;
    case StopCause::preempted:
        return oracle::Cause::preempted;
    case StopCause::reclaimed:
        return oracle::Cause::reclaimed;
    case StopCause::node_failed:
        return oracle::Cause::node_failed;
    case StopCause::hung:
        return oracle::Cause::hung;
    case StopCause::maintenance:
        return oracle::Cause::maintenance;
    case StopCause::budget:
        return oracle::Cause::budget;
    case StopCause::resized:
        return oracle::Cause::resized;
    case StopCause::reclaimed_unsaved:
        return oracle::Cause::reclaimed_unsaved;
    case StopCause::job_failed:
        return oracle::Cause::job_failed;
    case StopCause::migrated:
        return oracle::Cause::migrated;
    case StopCause::shared:
        return oracle::Cause::shared;
    }
    return oracle::Cause::none;
}

oracle::TakesBack taken_by(ReclaimOrder reclaims) {
    switch (reclaims) {
    case ReclaimOrder::newest:
        return oracle::TakesBack::newest;
    case ReclaimOrder::oldest:
        return oracle::TakesBack::oldest;
    case ReclaimOrder::random:
        return oracle::TakesBack::least_lot;
    }
    return oracle::TakesBack::newest;
}

} // namespace

std::vector<oracle::WorldChange> changes_of(const Plan& plan) {
    std::vector<oracle::WorldChange> changes;
    for (const WorldEvent& event : plan.world) {
        if (event.is<OrderChange>())
            continue;
        oracle::WorldChange change{event.time_ms,
                                   kind_of(event),
                                   cause_of(event.cause()),
                                   event.is<StopJob>() ? event.as<StopJob>().job : JobId{0},
                                   event.pool(),
                                   event.number(),
                                   event.span_ms()};
        if (!event.is<ShapeAdmission>()) {
            changes.push_back(change);
            continue;
        }
        for (change.job = 0; change.job < plan.num_jobs(); ++change.job) // the oracle has no shapes
            if (plan.shape[change.job] == event.as<ShapeAdmission>().shape)
                changes.push_back(change);
    }
    return changes;
}

/// Both use the same draws.
std::vector<oracle::FleetRule> fleet_of(const Plan& plan) {
    std::vector<oracle::FleetRule> rules;
    for (std::size_t pool = 0; pool < plan.provisioning.size(); ++pool) {
        const PlanProvisioning& own = plan.provisioning[pool];
        oracle::FleetRule& rule = rules.emplace_back();
        rule.is_fixed = own.is_fixed;
        rule.first = own.first_nodes;
        rule.least = own.min_nodes;
        rule.warm = own.warm_nodes;
        rule.follows_queue = own.follows_queue;
        rule.cancels_boots = own.cancels_boots;
        rule.takes_back = taken_by(own.reclaims);
        rule.idle_timeout_ms = own.idle_timeout_ms;
        rule.launch_every_ms = own.launch_every_ms;
        rule.max_launches = own.max_launches;
        rule.min_paid_ms = own.min_paid_ms;
        rule.paid_step_ms = plan.pools[pool].billing_step.count();
        rule.retry_ms = own.retry_ms;
        rule.max_retry_ms = own.max_retry_ms;
        rule.spares = own.spare_nodes;
        rule.takeover_ms = own.takeover_ms;
        rule.boot_ms = [&plan, own](std::size_t node, std::int64_t launch) {
            const auto draw =
                static_cast<std::uint32_t>(node) + static_cast<std::uint32_t>(launch) * 0x9e3779b1U;
            return plan.boot_ms[own.boot_begin + draw % (1U << own.boot_bits)];
        };
        rule.lot = [own, pool](std::size_t node, std::int64_t launch) {
            const RandomStream stream{own.reclaim_seed, Stream::reclaims};
            return stream.draw(std::uint64_t{pool} << 32U | node,
                               static_cast<std::uint32_t>(launch));
        };
    }
    return rules;
}

std::vector<oracle::Quota> quotas_of(const Plan& plan) {
    std::vector<oracle::Quota> quotas;
    for (const PlanQuota& own : plan.quotas) {
        oracle::Quota& quota = quotas.emplace_back();
        quota.max_nodes = own.max_nodes;
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
            if ((own.pools >> pool & 1U) != 0)
                quota.pools.push_back(pool);
    }
    return quotas;
}

} // namespace bursar::test
