#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/logged_run.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

namespace bursar::test::conservation_properties_test {
namespace {

/// Whether no job that fits may wait: jobs that do not fit are skipped, capacity is counted, and
/// there are no rounds.
bool conserves_work(const PolicyChoice& choice) {
    return choice.head == HeadRule::skip && choice.capacity == capacity_count &&
           choice.backfill == "none" && choice.preemption.empty() && choice.quantum == Duration{};
}

/// Jobs that wait after the last pass of `now_ms`.
std::vector<std::uint32_t>
pending_at(const Plan& plan, const AttemptLog& log, std::int64_t now_ms) {
    std::vector<bool> waits(plan.num_jobs());
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        waits[job] = plan.submit_ms[job] <= now_ms;
    for (const LoggedAttempt& attempt : log.attempts)
        if (attempt.start_ms <= now_ms && (attempt.end_ms > now_ms || !attempt.was_stopped()))
            waits[attempt.job] = false;
    std::vector<std::uint32_t> pending;
    for (std::uint32_t job = 0; job < plan.num_jobs(); ++job)
        if (waits[job])
            pending.push_back(job);
    return pending;
}

} // namespace

TEST_CASE("a policy that skips jobs that do not fit leaves no job waiting that fits") {
    int num_choices = 0;
    for (const PolicyChoice& choice : every_choice()) {
        if (!conserves_work(choice))
            continue;
        ++num_choices;
        CAPTURE(name_of(choice));
        CHECK(check_property([&] {
            // A save holds GPUs that are already given to others.
            const Plan plan = draw_plan({.with_every_save = false});
            const LoggedRun run = run_logged(plan, choice);
            for (const LoggedInstant& instant : run.log.instants) {
                const auto pending = pending_at(plan, run.log, instant.time_ms);
                RC_ASSERT(pending.size() == instant.num_pending);
                for (const std::uint32_t job : pending) {
                    const JobShape& shape = plan.shapes[plan.shape[job]];
                    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
                        RC_ASSERT((shape.permitted_pools >> pool & 1U) == 0 ||
                                  shape.slots() > instant.free_slots[pool]);
                }
            }
        }));
    }
    CHECK(num_choices >= 2);
}

TEST_CASE("the time of every job in the queue is divided by reason, to the millisecond") {
    for (const PolicyChoice& choice : every_choice()) {
        CAPTURE(name_of(choice));
        CHECK(check_property([&] {
            const Plan plan = draw_plan({});
            Workspace workspace;
            const Run run =
                simulate(plan, order_for(plan, choice), choice, Record::timeline, workspace);
            std::vector<std::int64_t> queued(plan.num_jobs());
            for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
                const JobPhase phase = run.jobs.phase[job];
                const bool holds = phase == JobPhase::running || phase == JobPhase::finished;
                if (phase != JobPhase::not_submitted)
                    queued[job] = (holds ? run.jobs.last_start(job) : run.outcome.end.count()) -
                                  plan.submit_ms[job];
            }
            for (const StoppedAttempt& attempt : run.jobs.stopped)
                queued[attempt.job] -= attempt.stop_ms - attempt.start_ms;
            for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
                std::int64_t sum = 0;
                for (const std::int64_t part : run.jobs.waits[job]) {
                    RC_ASSERT(part >= 0);
                    sum += part;
                }
                RC_ASSERT(sum == queued[job]);
            }
        }));
    }
}

} // namespace bursar::test::conservation_properties_test
