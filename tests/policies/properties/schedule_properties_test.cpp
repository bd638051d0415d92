#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/logged_run.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

// Properties of every schedule, under any policy, computed from the engine's log of starts and ends
// and its free GPUs.
namespace bursar::test::schedule_properties_test {
namespace {

/// Slots held in each pool by attempts that have begun and not ended at the end of `now_ms`.
std::vector<std::int64_t> held_at(const Plan& plan, const AttemptLog& log, std::int64_t now_ms) {
    std::vector<std::int64_t> held(plan.pools.size());
    for (const LoggedAttempt& attempt : log.attempts)
        if (attempt.start_ms <= now_ms && (attempt.end_ms < 0 || attempt.end_ms > now_ms))
            held[attempt.pool] += plan.shapes[plan.shape[attempt.job]].slots();
    return held;
}

void check_capacity(const Plan& plan, const AttemptLog& log) {
    for (const LoggedInstant& instant : log.instants) {
        const std::vector<std::int64_t> held = held_at(plan, log, instant.time_ms);
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
            RC_ASSERT(instant.free_slots[pool] >= 0);
            RC_ASSERT(held[pool] + instant.free_slots[pool] ==
                      plan.pools[pool].num_gpus() * slots_per_gpu);
        }
    }
}

void check_attempts(const Plan& plan, const LoggedRun& run) {
    RC_ASSERT(run.log.was_sane); // a job runs at most once at a time
    std::vector<int> num_finishes(plan.num_jobs());
    for (const LoggedAttempt& attempt : run.log.attempts) {
        const JobShape& shape = plan.shapes[plan.shape[attempt.job]];
        RC_ASSERT(attempt.start_ms >= plan.submit_ms[attempt.job]);
        RC_ASSERT(attempt.end_ms >= attempt.start_ms);
        RC_ASSERT((shape.permitted_pools >> attempt.pool & 1U) != 0);
        RC_ASSERT(attempt.level < plan.num_levels);
        RC_ASSERT(attempt.level <= shape.required_level);
        num_finishes[attempt.job] += attempt.was_stopped() ? 0 : 1;
    }
    RC_ASSERT(std::ranges::count(num_finishes, 1) == std::ssize(num_finishes));
    RC_ASSERT(run.outcome.num_finished == plan.num_jobs());
    RC_ASSERT(run.outcome.num_queued_at_end == 0);
}

/// An attempt that is not stopped lasts as long as its job; a stopped one no longer.
void check_lengths(const Plan& plan, const AttemptLog& log) {
    std::vector<int> num_before(plan.num_jobs());
    for (const LoggedAttempt& attempt : log.attempts) {
        const PlanClass& job_class = plan.classes[plan.job_class[attempt.job]];
        const std::int64_t work = plan.work_ms[attempt.job];
        std::int64_t saving = 0;
        std::int64_t num_saves = 0;
        for (std::int64_t at = job_class.interval.count();
             saves_on_the_way(job_class.checkpoint) && at < work;
             at += job_class.interval.count())
            saving +=
                (num_saves++ % job_class.full_every == 0 ? job_class.save : job_class.increment)
                    .count();
        const bool is_first = num_before[attempt.job]++ == 0;
        const Duration before = is_first ? job_class.startup : job_class.recovery;
        const std::int64_t whole = before.count() + work + saving + job_class.teardown.count();
        const std::int64_t held = attempt.end_ms - attempt.start_ms;
        if (attempt.was_stopped()) {
            RC_ASSERT(held <= whole + (job_class.save + job_class.write).count());
        } else if (is_first) {
            RC_ASSERT(held == whole);
        } else {
            RC_ASSERT(held <= whole);
        }
    }
}

} // namespace

TEST_CASE(
    "for every policy, no run exceeds capacity, and each gang runs whole on a permitted pool") {
    for (const PolicyChoice& choice : every_choice_at_all()) {
        CAPTURE(name_of(choice));
        CHECK(check_property([&] {
            const Plan plan =
                draw_plan({.with_estimates = drawn::boolean(), .with_details = drawn::boolean()});
            const LoggedRun run = run_logged(plan, choice);
            check_attempts(plan, run);
            check_capacity(plan, run.log);
            check_lengths(plan, run.log);
        }));
    }
}

// Runs have an `until` far beyond the end of any run without livelock, so that a livelock fails
// here and does not hang.
TEST_CASE("for every policy, a finite workload ends") {
    for (const PolicyChoice& choice : every_choice_at_all()) {
        CAPTURE(name_of(choice));
        CHECK(check_property([&] {
            Plan plan = draw_plan({.with_details = drawn::boolean()});
            plan.until = generous_end(plan);
            RC_ASSERT(run_logged(plan, choice).outcome.num_finished == plan.num_jobs());
        }));
    }
}

TEST_CASE("without contention, every policy gives the same outcome") {
    CHECK(check_property([&] {
        const Plan plan =
            draw_plan({.with_estimates = drawn::boolean(), .with_room_for_all = true});
        std::map<std::uint64_t, std::string> names; ///< by fingerprint
        for (const PolicyChoice& choice : every_choice()) {
            const LoggedRun run = run_logged(plan, choice);
            names.try_emplace(run.outcome.fingerprint, name_of(choice));
            for (const LoggedAttempt& attempt : run.log.attempts)
                RC_ASSERT(attempt.start_ms == plan.submit_ms[attempt.job]);
        }
        RC_LOG(names.begin()->second + " and " + names.rbegin()->second);
        RC_ASSERT(names.size() == 1U);
    }));
}

} // namespace bursar::test::schedule_properties_test
