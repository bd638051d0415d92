#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "reports/result/attempt_phases.hpp"
#include "reports/result/saved_result.hpp"

#include "tests/reports/support/random_result.hpp"
#include "tests/reports/support/sample_result.hpp"

namespace bursar::attempt_phases_test {
namespace {

std::string phases_text(const Result& result, std::size_t job) {
    std::string text;
    for_each_attempt(result, [&](const ResultAttempt& attempt) {
        if (attempt.job != job)
            return;
        for (const AttemptPhase& phase : phases_of(result, attempt)) {
            text += text.empty() ? "" : "; ";
            for (std::size_t i = 0; i < phase.num_parts; ++i)
                text += (i == 0 ? "" : ", ") + std::string{phase.parts[i].leaf} + " " +
                        std::to_string(phase.parts[i].held.count() / 1000);
        }
    });
    return text;
}

} // namespace

TEST_CASE("attempts start up, work and are torn down, in agreement with the bill's leaves") {
    Result result = test::sample_result(); // one minute of start-up
    CHECK(phases_text(result, 0) == "over.startup 60; prod.useful 7140");
    CHECK(phases_text(result, 2) == "over.startup 60; lost.job_failed 3540");
    CHECK(phases_text(result, 4) == "over.startup 60; prod.uncommitted 10740");
    CHECK(phases_text(result, 6).empty()); // it never started

    result.phases.startup_ms = {20'000};
    result.phases.teardown_ms = {40'000};
    CHECK(phases_text(result, 0) == "over.startup 20; prod.useful 7140; over.teardown 40");

    result.phases.saves = {1};
    CHECK(phases_text(result, 4) == "over.startup 20; productive 10740, overhead 40");
}

TEST_CASE("lost work, saves and the time until detection of a stopped attempt are known") {
    Result result = test::sample_result();
    result.jobs.last_start_ms.assign(result.jobs.size(), 0);
    result.jobs.last_start_ms[0] = 3'600'000;
    result.jobs.work_ms[0] = 3'500'000;
    result.stopped = {.job = {0},
                      .pool = {0},
                      .level = {0},
                      .start_ms = {0},
                      .stop_ms = {3'000'000},
                      .kept_ms = {2'900'000},
                      .lost_ms = {0},
                      .cause = {},
                      .stalled_slots = {},
                      .believed_cost = {}};
    result.phases.recovery_ms = {90'000};
    result.phases.teardown_ms = {10'000};
    const std::string second = "; over.recovery 90; prod.useful 3500; over.teardown 10";
    CHECK(phases_text(result, 0) ==
          "over.startup 60; prod.useful 2900; over.checkpoint 40" + second);
    result.stopped.kept_ms = {0};
    result.stopped.lost_ms = {2'900'000};
    result.stopped.cause = {StopCause::hung};
    CHECK(phases_text(result, 0) == "over.startup 60; lost.failure 2900; over.hang 40" + second);
    result.stopped.cause = {StopCause::reclaimed_unsaved};
    CHECK(phases_text(result, 0) == "over.startup 60; lost.preempt 2900; over.hang 40" + second);
    result.stopped.lost_ms = {0};
    result.stopped.cause = {StopCause::preempted};
    CHECK(phases_text(result, 0) == "over.startup 3000" + second); // nothing to save
    result.stopped.cause = {StopCause::node_failed};
    CHECK(phases_text(result, 0) == "overhead 3000" + second);
}

TEST_CASE("phases fill an attempt without gaps") {
    const auto holds = [] {
        Result result = test::random_result();
        for_each_attempt(result, [&](const ResultAttempt& attempt) {
            Duration now = attempt.start;
            for (const AttemptPhase& phase : phases_of(result, attempt)) {
                RC_ASSERT(phase.begin == now);
                RC_ASSERT(phase.num_parts > 0);
                for (std::size_t i = 0; i < phase.num_parts; ++i) {
                    RC_ASSERT(phase.parts[i].held > Duration{});
                    now += phase.parts[i].held;
                }
                RC_ASSERT(phase.end == now);
            }
            RC_ASSERT(now == attempt.end);
        });
    };
    CHECK(rc::check("phases of random results", holds));
}

} // namespace bursar::attempt_phases_test
