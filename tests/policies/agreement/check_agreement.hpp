#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include <rapidcheck.h>

#include "tests/policies/agreement/ask_oracle.hpp"
#include "tests/policies/agreement/describe.hpp"
#include "tests/policies/properties/logged_run.hpp"

namespace bursar::test {

/// Every attempt of every job: when, where, how it ended.
inline void check_attempts_agree(const AttemptLog& log, const oracle::History& expected) {
    using Row = std::tuple<std::size_t, std::int64_t, std::int64_t, std::size_t, bool>;
    std::vector<Row> own;
    for (const LoggedAttempt& attempt : log.attempts)
        own.emplace_back(
            attempt.job, attempt.start_ms, attempt.end_ms, attempt.pool, attempt.was_preempted);
    std::vector<Row> others;
    for (const oracle::AttemptRow& attempt : expected.attempts)
        others.emplace_back(
            attempt.job, attempt.start_ms, attempt.end_ms, attempt.pool, attempt.was_preempted);
    std::ranges::sort(own);
    std::ranges::sort(others);
    RC_ASSERT(own == others);
}

/// Every leaf of every pool. Tenants' shares are the business of ledger_properties_test.cpp.
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
        RC_ASSERT(booked(Leaf::over_startup) == held.startup);
        RC_ASSERT(booked(Leaf::over_recovery) == held.recovery);
        RC_ASSERT(booked(Leaf::over_checkpoint) == held.checkpoint);
        RC_ASSERT(booked(Leaf::over_teardown) == held.teardown);
        RC_ASSERT(booked(Leaf::stall_input) == held.stalled[0]);
        RC_ASSERT(booked(Leaf::stall_comm) == held.stalled[1]);
        RC_ASSERT(booked(Leaf::stall_bubble) == held.stalled[2]);
        RC_ASSERT(booked(Leaf::stall_sync) == held.stalled[3]);
        RC_ASSERT(booked(Leaf::lost_preempt) == held.lost_to_preemption);
        RC_ASSERT(booked(Leaf::prod_useful) == held.useful);
    }
}

inline void check_agreement(const Plan& plan, const PolicyChoice& choice) {
    const LoggedRun run = run_logged(plan, choice);
    const oracle::History expected = ask_oracle(plan, choice);
    RC_LOG(describe(plan) + describe(run.log, expected));
    check_attempts_agree(run.log, expected);
    check_books_agree(run.outcome, expected);
}

} // namespace bursar::test
