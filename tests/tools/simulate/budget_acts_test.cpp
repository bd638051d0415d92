#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "reports/bill/spend_curve.hpp"
#include "reports/rounding/printed_units.hpp"

#include "tests/policies/agreement/random_world.hpp"
#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/random_fleet.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"
#include "tests/reports/support/run_files.hpp"
#include "tools/simulate/budget_acts.hpp"
#include "tools/simulate/compare_variants.hpp"
#include "tools/simulate/run_scenario.hpp"

namespace bursar::test::budget_acts_test {
namespace {

/// A run in which every budget that is reached acts.
struct Acted {
    Plan plan; ///< with the acts' effects
    std::vector<BudgetAct> acts;
    std::vector<Result> results; ///< the run without acts first
};

Acted run_and_act(const Plan& plan,
                  const PolicyChoice& choice,
                  const std::vector<ResultBudget>& budgets,
                  const std::vector<ResultMonth>& months) {
    Acted out;
    while (true) {
        out.plan = plan;
        act_on(budgets, out.acts, out.plan);
        out.results.push_back(result_of(out.plan, choice));
        const auto act = next_act(out.results.back(), budgets, months, out.acts);
        if (!act)
            return out;
        const bool is_later = out.acts.empty() || out.acts.back().at <= act->at;
        RC_ASSERT(is_later); // an assertion evaluates its whole expression
        out.acts.push_back(*act);
    }
}

SpendCurve curve_of(const Result& result, const ResultBudget& budget) {
    return budget.tenant ? SpendCurve::of_tenant(result, *budget.tenant)
                         : SpendCurve::of_pools(result, budget.pool);
}

Plan draw_priced_plan() {
    Plan plan = draw_plan({.max_pools = 2, .max_jobs = 15});
    plan.measure_from = {};
    plan.measure_to.reset();
    if (drawn::boolean())
        plan.world = draw_world(plan);
    if (drawn::boolean())
        draw_fleet(plan);
    for (PlanPool& pool : plan.pools)
        pool.rate = MoneyRate{drawn::in_range<std::int64_t>(1, 5) * nano_usd_per_usd};
    plan.until.reset(); // else `until` ends the run whatever is spent
    return plan;
}

/// Up to a few GPU-minutes.
ResultBudget draw_budget(const Plan& plan) {
    ResultBudget budget;
    budget.limit =
        MoneyRate{nano_usd_per_usd} * slot_time(slots_per_gpu, drawn::in_range(1, 400) * second);
    const int scope = drawn::in_range(0, 3);
    if (scope == 1)
        budget.pool = drawn::in_range(0U, static_cast<std::uint32_t>(plan.pools.size()));
    if (scope == 2)
        budget.tenant = drawn::in_range(0U, plan.num_tenants);
    budget.is_monthly = drawn::in_range(0, 3) == 0;
    budget.action = drawn::one_of(BudgetAction::stop_admitting, BudgetAction::stop_jobs);
    return budget;
}

/// Of "months" of half a minute.
std::vector<ResultMonth> short_months() {
    std::vector<ResultMonth> months;
    for (int i = 0; i < 5; ++i)
        months.push_back({std::to_string(i), i * 30 * second, (i + 1) * 30 * second});
    return months;
}

/// The longest time for which a stopped job, or one whose work has ended, may still hold its GPUs.
std::int64_t longest_rest_ms(const Plan& plan) {
    std::int64_t longest = 0;
    for (const PlanClass& job_class : plan.classes)
        longest = std::max({longest,
                            2 * job_class.save.count() + job_class.write.count(),
                            job_class.teardown.count()});
    for (const WorldEvent& event : plan.world)
        longest = std::max(longest, event.span_ms()); // until the stop is noticed
    return longest;
}

bool is_of(const ResultBudget& budget, std::uint32_t pool, std::uint32_t tenant) {
    return budget.pool ? *budget.pool == pool : !budget.tenant || *budget.tenant == tenant;
}

/// Calls `act(pool, tenant, from, to)` for each attempt.
template <class Act>
void for_each_attempt(const Result& result, const Act& act) {
    const JobColumns& jobs = result.jobs;
    for (std::size_t i = 0; i < result.stopped.size(); ++i)
        act(result.stopped.pool[i],
            jobs.tenant[result.stopped.job[i]],
            result.stopped.start_ms[i],
            result.stopped.stop_ms[i]);
    for (std::size_t job = 0; job < jobs.size(); ++job)
        if (has_started(jobs.state[job]) && jobs.state[job] != JobState::preempted)
            act(jobs.pool[job],
                jobs.tenant[job],
                jobs.last_start(job),
                has_finished(jobs.state[job]) ? jobs.finish_ms[job] : result.end.count());
}

} // namespace

TEST_CASE("no job of its scope starts while a budget is spent, and stopped jobs leave soon") {
    const std::vector<PolicyChoice> choices = every_choice_at_all();
    CHECK(check_property([&] {
        Plan plan = draw_priced_plan();
        const PolicyChoice choice = drawn::element_of(choices);
        std::vector<ResultBudget> budgets;
        for (int i = drawn::in_range(1, 4); i > 0; --i)
            budgets.push_back(draw_budget(plan));
        RC_ASSERT(give_own_shapes(budgets, plan));
        const Acted acted = run_and_act(plan, choice, budgets, short_months());
        const Result& last = acted.results.back();
        RC_ASSERT(acted.results.size() == acted.acts.size() + 1);
        for (const BudgetAct& act : acted.acts) {
            const ResultBudget& budget = budgets[act.budget];
            const std::int64_t at = act.at.count();
            const std::int64_t until = act.until ? act.until->count() : last.end.count() + 1;
            const std::int64_t over = at + longest_rest_ms(plan);
            for_each_attempt(
                last,
                [&](std::size_t pool, std::size_t tenant, std::int64_t from, std::int64_t to) {
                    if (!is_of(budget,
                               static_cast<std::uint32_t>(pool),
                               static_cast<std::uint32_t>(tenant)))
                        return;
                    const bool is_held_back = from >= at && from < until;
                    RC_ASSERT(!is_held_back);
                    const bool leaves =
                        budget.action == BudgetAction::stop_admitting || from >= at || to <= over;
                    RC_ASSERT(leaves);
                });
            // The amount spent then is within the limit; saving and teardown come later.
            const Duration begin = budget.is_monthly ? Duration{at / 30'000 * 30'000} : Duration{};
            RC_ASSERT(curve_of(last, budget).between(begin, act.at) <= budget.limit);
            if (closes_run(budget, act) && budget.action == BudgetAction::stop_jobs)
                RC_ASSERT(last.end.count() <= over);
        }
    }));
}

TEST_CASE("before a limit acts, the run equals the run without acts") {
    const std::vector<PolicyChoice> choices = every_choice_at_all();
    CHECK(check_property([&] {
        Plan plan = draw_priced_plan();
        const PolicyChoice choice = drawn::element_of(choices);
        const std::vector<ResultBudget> budgets{draw_budget(plan)};
        const Result as_given = result_of(plan, choice);
        RC_ASSERT(give_own_shapes(budgets, plan));
        const Acted acted = run_and_act(plan, choice, budgets, short_months());
        RC_ASSERT(acted.results[0].fingerprint == as_given.fingerprint);
        for (std::size_t i = 0; i < acted.acts.size(); ++i) {
            const Duration at = acted.acts[i].at;
            for (const std::optional<std::uint32_t> pool : {std::optional{0U}, {}})
                RC_ASSERT(SpendCurve::of_pools(acted.results[i], pool).until(at) ==
                          SpendCurve::of_pools(acted.results[i + 1], pool).until(at));
            std::vector<std::vector<std::int64_t>> before;
            for (const Result& result : {acted.results[i], acted.results[i + 1]}) {
                std::vector<std::int64_t>& starts = before.emplace_back();
                for_each_attempt(result,
                                 [&](std::size_t, std::size_t, std::int64_t from, std::int64_t) {
                                     if (from < at.count())
                                         starts.push_back(from);
                                 });
                std::ranges::sort(starts);
            }
            RC_ASSERT(before[0] == before[1]);
        }
    }));
}

TEST_CASE("rented nodes of a pool whose budget is spent end when they become free") {
    const auto spent = [](const std::string& then) {
        const std::string text = "bursar: 1\n"
                                 "workload:\n"
                                 "  jobs:\n"
                                 "    - {name: a, gpus: 1, duration: 3 h}\n"
                                 "    - {name: b, gpus: 1, duration: 1 h, submit: 5 h}\n"
                                 "fleet:\n"
                                 "  - {pool: p, purchase: on_demand, gpu: H100, nodes: 1..2,\n"
                                 "     gpus_per_node: 1, price: 1 USD/gpu-h, idle_timeout: 1 h}\n"
                                 "until: 8 h\n"
                                 "budgets: [{limit: 2 USD, pool: p, then: " +
                                 then + "}]\n";
        const Result result = run_scenario(load_scenario({.file = "s.yaml", .text = text}), {});
        CHECK(result.num_queued_at_end == (then == "alert" ? 0U : then == "stop-jobs" ? 2U : 1U));
        Money cost;
        for (const ResultCell& cell : result.cells)
            cost += cell.cost;
        CHECK(cost.count() % money_per_usd == 0);
        return static_cast<int>(cost.count() / money_per_usd);
    };
    CHECK(spent("alert") == 8); // one node is kept to the end
    CHECK(spent("stop-admitting") == 3);
    CHECK(spent("stop-jobs") == 2);
}

TEST_CASE("budgets of variants act in a comparison, even if that ends the run") {
    const std::string text = "bursar: 1\n"
                             "workload:\n"
                             "  jobs:\n"
                             "    - {name: a, gpus: 1, duration: 3 h}\n"
                             "    - {name: b, gpus: 1, duration: 1 h, submit: 5 h}\n"
                             "fleet:\n"
                             "  - {pool: p, purchase: owned, gpu: H100, nodes: 1,\n"
                             "     gpus_per_node: 1, price: 1 USD/gpu-h}\n"
                             "budgets: [{limit: 2 USD, then: alert}]\n";
    const std::vector<Variant> variants =
        all_variants(std::vector{parse_axis("budgets[0].then=alert,stop-admitting,stop-jobs")});
    const Comparison comparison =
        compare_variants(variants, load_variants({.file = "s.yaml", .text = text}, variants));
    const auto value = [&](std::size_t variant, std::string_view name) {
        const std::vector<Scalar>& run = comparison.variants[variant].runs.front();
        return std::ranges::find(run, name, &Scalar::name)->value.value();
    };
    CHECK(value(0, "metrics.jobs_finished") == 2);
    CHECK(value(1, "metrics.jobs_finished") == 1);
    CHECK(value(2, "metrics.jobs_finished") == 0);
    CHECK(value(0, "cost.total") == 6); // each to its own end
    CHECK(value(1, "cost.total") == 3);
    CHECK(value(2, "cost.total") == 2);
}

} // namespace bursar::test::budget_acts_test
