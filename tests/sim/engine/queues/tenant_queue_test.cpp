#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/queues/tenant_queue.hpp"
#include "sim/engine/queues/tenant_use.hpp"
#include "sim/plan/job_groups.hpp"

#include "policies/queue/registry.hpp"
#include "policies/runs/engine_types.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/properties/logged_run.hpp"
#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"
#include "tests/sim/engine/naive_starts.hpp"
#include "tests/sim/engine/queues/drive_queue.hpp"

namespace bursar::test::tenant_queue_test {
namespace {

PolicyChoice draw_choice(const std::string& queue) {
    PolicyChoice choice{queue, HeadRule::block, "count", ""};
    if (drawn::boolean())
        choice.head = HeadRule::skip;
    if (queue != "drf" && drawn::boolean()) {
        choice.queue_options.set("half_life", {drawn::in_range(0, 20)});
        choice.queue_options.set("period", {drawn::in_range(1, 9)});
    }
    if (queue == "multifactor") {
        choice.queue_options.set("max_age", {drawn::in_range(1, 60)});
        choice.queue_options.set("fair_share", {drawn::in_range(0, 3'000)});
    }
    return choice;
}

/// Ranks every pending job again, from the uses of all tenants, whenever one may start.
template <class Policy>
class NaiveTenants {
  public:
    NaiveTenants(const Plan& plan, const PolicyChoice& choice)
        : plan_{plan}, view_{view_of(plan)}, rule_{with_options<Policy>(choice.queue_options)},
          totals_{fleet_totals(view_)}, uses_{[&](ArenaCarver& carver) {
              return TenantUses{carver, plan.num_tenants, rule_.memory()};
          }} {
        uses_.content.clear();
    }

    void advance(std::int64_t now) { uses_.content.advance(now); }
    void arrived(JobId) {}
    void started(JobId job) { uses_.content.add(view_.tenant_of(job), shape_of(job)); }
    void ended(JobId job) { uses_.content.remove(view_.tenant_of(job), shape_of(job)); }
    [[nodiscard]] bool may_change(std::int64_t now) const {
        return rule_.follows_time() && now % rule_.memory().period_ms == 0;
    }
    [[nodiscard]] bool before(JobId a, JobId b) const { return rank_of(a) < rank_of(b); }

  private:
    [[nodiscard]] const JobShape& shape_of(JobId job) const {
        return plan_.shapes[plan_.shape[job]];
    }
    [[nodiscard]] std::uint64_t rank_of(JobId job) const {
        const TenantId tenant = view_.tenant_of(job);
        const std::int64_t age = uses_.content.period_begin_ms() - plan_.submit_ms[job];
        return rule_.rank(rule_.share(uses_.content[tenant], view_.weight(tenant), totals_),
                          rule_.merits(plan_)(shape_of(job), view_.view(job).priority),
                          std::max<std::int64_t>(0, age));
    }

    const Plan& plan_;
    PlanView view_;
    RuleOf<Policy> rule_;
    FleetTotals totals_;
    ArenaBlock<TenantUses> uses_;
};

template <class Policy>
std::vector<std::int64_t> naive(const Plan& plan, const PolicyChoice& choice) {
    return naive_starts(plan, choice.head, NaiveTenants<Policy>{plan, choice});
}

Run run_of(const Plan& plan, const PolicyChoice& choice, std::uint32_t max_live = 1) {
    Workspace workspace{max_live};
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

} // namespace

TEST_CASE("orders of tenants agree with ranking every pending job again") {
    CHECK(check_property("fair-share", [] {
        const Plan plan = draw_plan_of_tenants();
        const PolicyChoice choice = draw_choice("fair-share");
        RC_ASSERT(run_of(plan, choice).jobs.start_ms == naive<FairShare>(plan, choice));
    }));
    CHECK(check_property("drf", [] {
        const Plan plan = draw_plan_of_tenants();
        const PolicyChoice choice = draw_choice("drf");
        RC_ASSERT(run_of(plan, choice).jobs.start_ms == naive<DominantShare>(plan, choice));
    }));
    CHECK(check_property("multifactor", [] {
        const Plan plan = draw_plan_of_tenants();
        const PolicyChoice choice = draw_choice("multifactor");
        RC_ASSERT(run_of(plan, choice).jobs.start_ms == naive<Multifactor>(plan, choice));
    }));
}

TEST_CASE("TenantQueue agrees with ranking every pending job again: levels, and stopped jobs") {
    const auto drive = []<class Policy>(const char* name, std::type_identity<Policy>) {
        Plan plan = draw_plan_of_tenants();
        draw_lengths(plan);
        const PolicyChoice choice = draw_choice(name);
        const RuleOf<Policy> rule = with_options<Policy>(choice.queue_options);
        const std::vector<std::uint64_t> levels = draw_levels(plan);
        const JobOrder order = group_by_tenant(plan, rule, levels);
        JobOrderView jobs = view_of(order);
        jobs.finds_short = true;
        ArenaBlock<CarriedJobs> carried{[&](ArenaCarver& carver) {
            return CarriedJobs{carver, view_of(plan), static_cast<std::uint32_t>(plan.num_jobs())};
        }};
        carried.content.clear();
        using Queue = TenantQueue<RuleOf<Policy>>;
        ArenaBlock<Queue> queue{[&](ArenaCarver& carver) {
            return Queue{carver, RunPlan{view_of(plan)}, jobs, rule};
        }};
        queue.content.clear();
        using Naive = NaiveTenants<Policy>;
        QueueDriver<Queue, Naive>{plan, levels, carried.content, queue.content, {plan, choice}}
            .drive(60);
    };
    CHECK(check_property("fair-share",
                         [&] { drive("fair-share", std::type_identity<FairShare>{}); }));
    CHECK(check_property("drf", [&] { drive("drf", std::type_identity<DominantShare>{}); }));
    CHECK(check_property("multifactor",
                         [&] { drive("multifactor", std::type_identity<Multifactor>{}); }));
}

TEST_CASE(
    "orders of tenants: neither lanes, nor the size of the arena, nor doubled weights matter") {
    CHECK(check_property([] {
        Plan plan = draw_plan_of_tenants();
        const PolicyChoice choice =
            draw_choice(drawn::one_of<std::string>("fair-share", "drf", "multifactor"));
        const JobOrder order = order_for(plan, choice);
        const Run run = run_of(plan, choice);
        RC_ASSERT(run.outcome.num_finished == plan.num_jobs());
        RC_ASSERT(run_of(plan, choice, 64).outcome.fingerprint == run.outcome.fingerprint);

        RC_ASSERT(run_on_lanes(plan, choice).fingerprint == run.outcome.fingerprint);

        for (std::uint32_t& weight : plan.tenant_weight)
            weight *= 2;
        RC_ASSERT(run_of(plan, choice).outcome.fingerprint == run.outcome.fingerprint);
    }));
}

// Four tenants with the same jobs at the same times get the same over the run.
TEST_CASE("orders of tenants: equal tenants wait equally in a symmetric workload") {
    std::vector<JobSpec> jobs;
    for (int round = 0; round < 40; ++round)
        for (std::uint16_t tenant = 0; tenant < 4; ++tenant)
            jobs.push_back(
                {round, 7 + round % 5, 1U + static_cast<std::uint32_t>(round % 2), 1, tenant});
    const Plan plan = plan_of(jobs, {pool_of(1, 8)});
    for (const char* queue : {"fair-share", "drf", "multifactor"}) {
        CAPTURE(queue);
        const Run run = run_of(plan, {queue, HeadRule::block, "count", ""});
        std::vector<std::int64_t> held(4, 0); // GPU time up to the middle of the run
        const std::int64_t middle = run.outcome.end.count() / 2;
        for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
            const std::int64_t begin = std::min(run.jobs.start_ms[job], middle);
            held[plan.tenant[job]] +=
                (std::min(run.jobs.finish_ms[job], middle) - begin) * plan.gpus(job);
        }
        const auto [least, most] = std::ranges::minmax(held);
        CHECK(most - least <= 2 * 11 * 1000 * 2); // two of the largest jobs
        CHECK(least > 0);
    }
}

} // namespace bursar::test::tenant_queue_test
