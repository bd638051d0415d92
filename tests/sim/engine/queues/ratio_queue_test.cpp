#include <algorithm>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/engine/queues/ratio_queue.hpp"

#include "policies/rules/finish_time.hpp"
#include "policies/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/properties/logged_run.hpp"
#include "tests/sim/engine/naive_starts.hpp"

namespace bursar::test::ratio_queue_test {
namespace {

/// Ratios compared as fractions, for every pair of jobs that wait.
class NaiveRatios {
  public:
    explicit NaiveRatios(const Plan& plan)
        : plan_{plan}, view_{view_of(plan)}, totals_{fleet_totals(view_)} {}

    void advance(std::int64_t now) { now_ = now; }
    void arrived(JobId job) { weight_in_system_ += view_.weight(view_.tenant_of(job)); }
    void started(JobId) {}
    void ended(JobId job) { weight_in_system_ -= view_.weight(view_.tenant_of(job)); }
    [[nodiscard]] bool before(JobId a, JobId b) const {
        return time_of(a) * isolated_of(b) > time_of(b) * isolated_of(a);
    }

  private:
    [[nodiscard]] uint128 time_of(JobId job) const {
        return static_cast<std::uint64_t>(now_ - plan_.submit_ms[job] +
                                          view_.believed_work_ms(job));
    }
    [[nodiscard]] uint128 isolated_of(JobId job) const {
        const std::int64_t run_ms = std::max<std::int64_t>(1, view_.believed_work_ms(job));
        return uint128{FinishTimeRule{}.stretch(plan_.shapes[plan_.shape[job]],
                                                view_.weight(view_.tenant_of(job)),
                                                weight_in_system_,
                                                totals_)} *
               static_cast<std::uint64_t>(run_ms);
    }

    const Plan& plan_;
    PlanView view_;
    FleetTotals totals_;
    std::uint64_t weight_in_system_{};
    std::int64_t now_{};
};

/// One shape, one weight and long queues: claims that overtake each other many times.
Plan draw_long_queue() {
    std::vector<JobSpec> jobs;
    const int num_jobs = *rc::gen::inRange(1, 120);
    std::int64_t submit = 0;
    for (int job = 0; job < num_jobs; ++job) {
        submit += *rc::gen::inRange(0, 3);
        jobs.push_back({submit, *rc::gen::inRange(0, 60)});
    }
    return plan_of(jobs, {pool_of(1, *rc::gen::inRange(1U, 3U))});
}

Plan draw_any() {
    return *rc::gen::arbitrary<bool>() ? draw_long_queue() : draw_plan_of_tenants();
}

PolicyChoice draw_choice() {
    const HeadRule head = *rc::gen::element(HeadRule::block, HeadRule::skip);
    return {"ftf", head, "count", ""};
}

Run run_of(const Plan& plan, const PolicyChoice& choice, std::uint32_t max_live = 1) {
    Workspace workspace{max_live};
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

} // namespace

TEST_CASE("overtakes_at is the first instant at which the rival is ahead") {
    CHECK(rc::check([] {
        const auto draw = [] {
            return Claim{*rc::gen::inRange<std::int64_t>(-20, 20),
                         *rc::gen::inRange<std::int64_t>(1, 20)};
        };
        const Claim leader = draw();
        const Claim rival = draw();
        const bool wins_ties = *rc::gen::arbitrary<bool>();
        const auto ahead = [&](std::int64_t now) {
            return rival.exceeds(leader, now) || (wins_ties && !leader.exceeds(rival, now));
        };
        RC_PRE(!ahead(20));
        std::int64_t first = horizon_ms;
        for (std::int64_t now = 2'000; now > 20; --now)
            first = ahead(now) ? now : first;
        RC_ASSERT(overtakes_at(rival, leader, wins_ties) == first);
    }));
}

TEST_CASE("ftf agrees with comparing every pair of waiting jobs") {
    CHECK(rc::check([] {
        const Plan plan = draw_any();
        const PolicyChoice choice = draw_choice();
        RC_ASSERT(run_of(plan, choice).jobs.start_ms ==
                  naive_starts(plan, choice.head, NaiveRatios{plan}));
    }));
}

TEST_CASE("ftf: neither lanes, nor the size of the arena, nor doubled weights matter") {
    CHECK(rc::check([] {
        Plan plan = draw_any();
        const PolicyChoice choice = draw_choice();
        const Run run = run_of(plan, choice);
        RC_ASSERT(run.outcome.num_finished == plan.num_jobs());
        RC_ASSERT(run_of(plan, choice, 64).outcome.fingerprint == run.outcome.fingerprint);

        RC_ASSERT(run_on_lanes(plan, choice).fingerprint == run.outcome.fingerprint);

        for (std::uint32_t& weight : plan.tenant_weight)
            weight *= 2;
        RC_ASSERT(run_of(plan, choice).outcome.fingerprint == run.outcome.fingerprint);
    }));
}

} // namespace bursar::test::ratio_queue_test
