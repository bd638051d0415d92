#pragma once

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include <rapidcheck.h>

#include "tests/policies/agreement/ask_oracle.hpp"
#include "tests/policies/agreement/describe.hpp"
#include "tests/policies/properties/logged_run.hpp"

namespace bursar::test {

/// Every attempt of every job: times, pool and cause of its end.
inline void check_attempts_agree(const AttemptLog& log, const oracle::History& expected) {
    using Row = std::tuple<std::size_t, std::int64_t, std::int64_t, std::size_t, int>;
    std::vector<Row> own;
    for (const LoggedAttempt& attempt : log.attempts)
        own.emplace_back(attempt.job,
                         attempt.start_ms,
                         attempt.end_ms,
                         attempt.pool,
                         static_cast<int>(attempt.cause));
    std::vector<Row> others;
    for (const oracle::AttemptRow& attempt : expected.attempts)
        others.emplace_back(attempt.job,
                            attempt.start_ms,
                            attempt.end_ms,
                            attempt.pool,
                            static_cast<int>(attempt.cause));
    std::ranges::sort(own);
    std::ranges::sort(others);
    RC_ASSERT(own == others);
}

/// Every leaf of every pool. ledger_properties_test.cpp checks tenants' shares.
inline void check_books_agree(const Outcome& outcome, const oracle::History& expected) {
    for (std::size_t pool = 0; pool < outcome.num_pools; ++pool) {
        const auto booked = [&](Leaf leaf) {
            int128 sum = 0;
            for (std::size_t tenant = 0; tenant <= outcome.num_tenants; ++tenant)
                sum += outcome.cell(pool, tenant, leaf).count();
            return static_cast<std::int64_t>(sum);
        };
        const oracle::IdleSplit& idle = expected.idle[pool];
        const oracle::HeldSplit& held = expected.held[pool];
        RC_ASSERT(booked(Leaf::idle_no_demand) == idle.no_demand);
        RC_ASSERT(booked(Leaf::idle_ineligible) == idle.ineligible);
        RC_ASSERT(booked(Leaf::idle_fragmented) == idle.fragmented);
        RC_ASSERT(booked(Leaf::idle_gang) == idle.gang);
        RC_ASSERT(booked(Leaf::idle_latency) == idle.latency);
        RC_ASSERT(booked(Leaf::unavail_down) + booked(Leaf::unavail_maintenance) ==
                  expected.offline[pool]);
        RC_ASSERT(booked(Leaf::unavail_spare) == expected.spare[pool]);
        RC_ASSERT(booked(Leaf::unavail_provisioning) == expected.booting[pool]);
        RC_ASSERT(booked(Leaf::unavail_reserved_unlaunched) == expected.unlaunched[pool]);
        RC_ASSERT(booked(Leaf::over_startup) == held.startup);
        RC_ASSERT(booked(Leaf::over_recovery) == held.recovery);
        RC_ASSERT(booked(Leaf::over_checkpoint) == held.checkpoint);
        RC_ASSERT(booked(Leaf::over_teardown) == held.teardown);
        RC_ASSERT(booked(Leaf::stall_input) == held.stalled[0]);
        RC_ASSERT(booked(Leaf::stall_comm) == held.stalled[1]);
        RC_ASSERT(booked(Leaf::stall_bubble) == held.stalled[2]);
        RC_ASSERT(booked(Leaf::stall_sync) == held.stalled[3]);
        RC_ASSERT(booked(Leaf::stall_interference) == held.stalled[4]);
        RC_ASSERT(booked(Leaf::over_hang) == held.hang);
        RC_ASSERT(booked(Leaf::lost_preempt) == held.lost_to_preemption);
        RC_ASSERT(booked(Leaf::lost_failure) == held.lost_to_failure);
        RC_ASSERT(booked(Leaf::lost_job_failed) == held.lost_failed);
        RC_ASSERT(booked(Leaf::lost_cancelled) == held.lost_cancelled);
        RC_ASSERT(booked(Leaf::lost_stopped) == held.lost_stopped);
        RC_ASSERT(booked(Leaf::prod_useful) == held.useful);
    }
}

/// The first promised start of each job; -1: none.
inline void check_promises_agree(const AttemptLog& log, const oracle::History& expected) {
    std::vector<std::int64_t> first(expected.promised_ms.size(), -1);
    for (const LoggedPromise& promise : log.promises)
        if (first[promise.job] < 0)
            first[promise.job] = promise.start_ms;
    RC_ASSERT(first == expected.promised_ms);
}

/// The nodes of every pool, where they come and go.
inline void
check_fleets_agree(const Plan& plan, const Outcome& outcome, const oracle::History& expected) {
    for (std::size_t pool = 0; pool < plan.provisioning.size(); ++pool) {
        const PoolNodesUsed& own = outcome.nodes[pool];
        const oracle::FleetUse& use = expected.nodes[pool]; // compared one by one, for the message
        RC_ASSERT(own.paid.count() == use.paid_ms);
        RC_ASSERT(std::int64_t{own.least_launched} == use.least);
        RC_ASSERT(std::int64_t{own.most_launched} == use.most);
        RC_ASSERT(static_cast<std::int64_t>(own.num_launches) == use.launches);
        RC_ASSERT(static_cast<std::int64_t>(own.num_reclaimed) == use.reclaims);
        RC_ASSERT(static_cast<std::int64_t>(own.num_failures) == use.failures);
        RC_ASSERT(static_cast<std::int64_t>(own.num_failed_launches) == use.failed_launches);
    }
}

/// Every slot is in one leaf at every instant, independent of the oracle.
inline void check_books_add_up(const Plan& plan, const Outcome& outcome) {
    for (std::size_t pool = 0; pool < outcome.num_pools; ++pool) {
        SlotTime booked;
        for (std::size_t tenant = 0; tenant <= outcome.num_tenants; ++tenant)
            for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
                booked += outcome.cell(pool, tenant, static_cast<Leaf>(leaf));
        const PlanPool& spec = plan.pools[pool];
        const Duration paid =
            plan.provisioning.empty() ? outcome.end * spec.num_nodes : outcome.nodes[pool].paid;
        RC_ASSERT(booked == slot_time(std::int64_t{spec.gpus_per_node} * slots_per_gpu, paid));
    }
}

/// Jobs that were submitted and still wait for others at the end.
inline std::size_t num_dependent(const Plan& plan, const oracle::History& expected) {
    std::size_t num = 0;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        num += plan.submit_ms[job] <= expected.end_ms && expected.eligible_ms[job] < 0 ? 1U : 0U;
    return num;
}

/// No job is lost: it ends once, waits for nodes that do not come back or for jobs that do not end,
/// or arrives after the end of a run that closes. num_dependent: jobs that wait for jobs that do
/// not end.
inline void
check_no_job_is_lost(const Plan& plan, const LoggedRun& run, std::size_t num_dependent = 0) {
    RC_ASSERT(run.log.was_sane);
    const auto num_late =
        static_cast<std::size_t>(std::ranges::count_if(plan.submit_ms, [&](std::int64_t submit_ms) {
            return submit_ms > run.outcome.end.count();
        }));
    RC_ASSERT(num_late == 0 || std::ranges::any_of(plan.world, [](const WorldEvent& event) {
                  return event.is<RunCloses>();
              }));
    RC_ASSERT(run.outcome.num_dropped == run.log.drops.size());
    RC_ASSERT(run.outcome.num_finished + run.outcome.num_dropped + run.outcome.num_queued_at_end +
                  num_late + num_dependent ==
              plan.num_jobs());
    RC_ASSERT(run.outcome.num_running_at_end == 0U);
    RC_ASSERT(plan.moves() || run.outcome.num_queued_at_end == 0U);
}

/// When jobs that waited for others became eligible.
inline void
check_late_jobs_agree(const Plan& plan, const AttemptLog& log, const oracle::History& expected) {
    std::vector<std::int64_t> eligible = plan.submit_ms;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        if (expected.eligible_ms[job] < 0)
            eligible[job] = -1;
    for (const LoggedLateJob& late : log.late)
        eligible[late.job] = late.time_ms;
    RC_ASSERT(eligible == expected.eligible_ms);
}

/// When jobs were dropped.
inline void check_drops_agree(const AttemptLog& log, const oracle::History& expected) {
    std::vector<std::int64_t> dropped(expected.dropped_ms.size(), -1);
    for (const LoggedDrop& one : log.drops)
        dropped[one.job] = one.time_ms;
    RC_ASSERT(dropped == expected.dropped_ms);
}

inline std::string describe_staged(const char* who, const std::vector<oracle::StagedRow>& rows) {
    std::string out;
    for (const oracle::StagedRow& row : rows)
        out += std::string{who} + " staged for job " + std::to_string(row.job) +
               (row.is_used ? ", used: " : ", for nothing: ") + std::to_string(row.done_ms) +
               " ms, kept " + std::to_string(row.kept_ms) + " ms\n";
    return out;
}

/// What was staged ahead, for use and for nothing.
inline void check_staging_agrees(const LoggedRun& run, const oracle::History& expected) {
    std::vector<oracle::StagedRow> own;
    for (const StagedAhead& one : run.staged)
        own.push_back({one.job, one.is_used, one.staged_ms, one.kept_ms});
    std::vector<oracle::StagedRow> others = expected.staged;
    std::ranges::sort(own);
    std::ranges::sort(others);
    RC_LOG(describe_staged("engine", own) + describe_staged("oracle", others));
    RC_ASSERT(own == others);
}

inline void check_agreement(const Plan& plan, const PolicyChoice& choice) {
    RC_LOG(describe(plan));
    const LoggedRun run = run_logged(plan, choice);
    const oracle::History expected = ask_oracle(plan, choice);
    RC_LOG(describe(run.log, expected));
    check_no_job_is_lost(plan, run, num_dependent(plan, expected));
    check_late_jobs_agree(plan, run.log, expected);
    check_drops_agree(run.log, expected);
    check_attempts_agree(run.log, expected);
    check_staging_agrees(run, expected);
    check_fleets_agree(plan, run.outcome, expected);
    check_promises_agree(run.log, expected);
    if (choice.backfill == "conservative") // EASY counts blocked heads
        RC_ASSERT(static_cast<std::int64_t>(run.outcome.num_reservations) == expected.num_promised);
    RC_ASSERT(run.outcome.end.count() == expected.end_ms);
    check_books_add_up(plan, run.outcome);
    check_books_agree(run.outcome, expected);
}

} // namespace bursar::test
