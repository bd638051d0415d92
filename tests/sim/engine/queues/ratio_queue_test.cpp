#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/queues/ratio_queue.hpp"
#include "sim/plan/job_groups.hpp"

#include "policies/rules/finish_time.hpp"
#include "policies/runs/engine_types.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/properties/logged_run.hpp"
#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"
#include "tests/sim/engine/naive_starts.hpp"
#include "tests/sim/engine/queues/drive_queue.hpp"

namespace bursar::test::ratio_queue_test {
namespace {

/// Ratios compared as fractions, for every pair of waiting jobs.
class NaiveRatios {
  public:
    explicit NaiveRatios(const Plan& plan, const CarriedJobs* carried = nullptr)
        : plan_{plan}, view_{view_of(plan)}, totals_{fleet_totals(view_)}, carried_{carried} {}

    void advance(std::int64_t now) { now_ = now; }
    void arrived(JobId job) { weight_in_system_ += view_.weight(view_.tenant_of(job)); }
    void started(JobId) {}
    void ended(JobId job) { weight_in_system_ -= view_.weight(view_.tenant_of(job)); }
    [[nodiscard]] static bool may_change(std::int64_t /*now*/) { return true; }
    [[nodiscard]] bool before(JobId a, JobId b) const {
        return time_of(a) * isolated_of(b) > time_of(b) * isolated_of(a);
    }

  private:
    [[nodiscard]] uint128 time_of(JobId job) const {
        std::int64_t left_ms = view_.believed_work_ms(job);
        if (carried_ != nullptr && carried_->has(job)) {
            const std::int64_t done_ms = plan_.work_ms[job] - carried_->of(job).work_left_ms;
            left_ms = std::max<std::int64_t>(0, left_ms - done_ms);
        }
        return static_cast<std::uint64_t>(now_ - plan_.submit_ms[job] + left_ms);
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
    const CarriedJobs* carried_;
    std::uint64_t weight_in_system_{};
    std::int64_t now_{};
};

/// One shape, one weight and long queues: claims that overtake each other many times.
Plan draw_long_queue() {
    std::vector<JobSpec> jobs;
    const int num_jobs = drawn::in_range(1, 120);
    std::int64_t submit = 0;
    for (int job = 0; job < num_jobs; ++job) {
        submit += drawn::in_range(0, 3);
        jobs.push_back({submit, drawn::in_range(0, 60)});
    }
    Plan plan = plan_of(jobs, {pool_of(1, drawn::in_range(1U, 3U))});
    to_milliseconds(plan);
    return plan;
}

Plan draw_any() {
    return drawn::boolean() ? draw_long_queue() : draw_plan_of_tenants();
}

PolicyChoice draw_choice() {
    const HeadRule head = drawn::one_of(HeadRule::block, HeadRule::skip);
    return {"ftf", head, "count", ""};
}

Run run_of(const Plan& plan, const PolicyChoice& choice, std::uint32_t max_live = 1) {
    Workspace workspace{max_live};
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

} // namespace

TEST_CASE("overtakes_after is at or before the first instant at which the rival is ahead") {
    CHECK(check_property([] {
        const auto most_ms = drawn::one_of<std::int64_t>(20, std::int64_t{1} << 39U);
        const auto draw = [&] {
            return Claim{drawn::in_range<std::int64_t>(-most_ms, most_ms),
                         drawn::in_range<std::int64_t>(1, most_ms)};
        };
        const Claim leader = draw();
        const Claim rival = draw();
        const bool wins_ties = drawn::boolean();
        const auto ahead = [&](std::int64_t now) {
            const uint128 of_rival = rival.against(leader, now);
            const uint128 of_leader = leader.against(rival, now);
            return of_rival > of_leader || (wins_ties && of_rival == of_leader);
        };
        RC_PRE(!ahead(most_ms));
        const std::int64_t after = overtakes_after(rival, leader, most_ms, wins_ties);
        RC_ASSERT(after > most_ms);
        RC_ASSERT(after <= horizon_ms);
        RC_ASSERT(!ahead(after - 1));
        const uint128 lead = leader.against(rival, most_ms) - rival.against(leader, most_ms);
        if (lead >> 64U == 0 && after < horizon_ms)
            RC_ASSERT(ahead(after));
        if (leader.run_ms <= rival.run_ms)
            RC_ASSERT(after == horizon_ms);
    }));
}

TEST_CASE("RatioQueue agrees with comparing every pair: levels, and stopped jobs") {
    CHECK(check_property([] {
        Plan plan = draw_any();
        draw_lengths(plan);
        const std::vector<std::uint64_t> levels = draw_levels(plan);
        const JobOrder order = group_by_weight(plan, levels);
        JobOrderView jobs = view_of(order);
        jobs.finds_short = true;
        ArenaBlock<CarriedJobs> carried{[&](ArenaCarver& carver) {
            return CarriedJobs{carver, view_of(plan), static_cast<std::uint32_t>(plan.num_jobs())};
        }};
        carried.content.clear();
        using Queue = RatioQueue<FinishTimeRule>;
        ArenaBlock<Queue> queue{[&](ArenaCarver& carver) {
            return Queue{carver, RunPlan{view_of(plan)}, carried.content, jobs, FinishTimeRule{}};
        }};
        queue.content.clear();
        QueueDriver<Queue, NaiveRatios>{
            plan, levels, carried.content, queue.content, NaiveRatios{plan, &carried.content}}
            .drive(80);
    }));
}

TEST_CASE("ftf agrees with comparing every pair of waiting jobs") {
    CHECK(check_property([] {
        const Plan plan = draw_any();
        const PolicyChoice choice = draw_choice();
        RC_ASSERT(run_of(plan, choice).jobs.start_ms ==
                  naive_starts(plan, choice.head, NaiveRatios{plan}));
    }));
}

TEST_CASE("ftf does not depend on lanes, the size of the arena or doubled weights") {
    CHECK(check_property([] {
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
