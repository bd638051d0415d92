#include "tools/simulate/acted_run.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "sim/engine/attempts/event_key.hpp"
#include "sim/plan/world_event.hpp"
#include "sim/record/outcome.hpp"

#include "scenarios/compile/features.hpp"
#include "scenarios/compile/features/prices.hpp"

#include "reports/bill/budgets.hpp"
#include "reports/text/decimal.hpp"

#include "tools/simulate/budget_facts.hpp"
#include "tools/simulate/simulation_error.hpp"

namespace bursar { inline namespace tools {
namespace {

void throw_if_unfinished(const Run& run, const std::string& file) {
    if (run.outcome.status == RunStatus::horizon_exceeded)
        throw InputTooLarge{fmt::format("{}: a job would end more than 34.8 years (2^40 ms) "
                                        "after the first submit, as one does that loses all it "
                                        "has done at every stop; give `until`, or save more "
                                        "often (`checkpoint`)",
                                        file)};
    if (run.outcome.status == RunStatus::too_many_preemptions)
        throw InputTooLarge{
            fmt::format("{}: more than {} preemptions, which is as many as are kept; "
                        "give longer `rounds`, or limit preemption by `min_run` or "
                        "`max_per_job`",
                        file,
                        grouped_text(max_preemptions, 0))};
    if (run.outcome.status == RunStatus::arena_full)
        throw InputTooLarge{
            fmt::format("{}: more than {} jobs run at once", file, EventKey::max_slots)};
}

Run simulate_once(const RunSetup& setup,
                  const Plan& plan,
                  const JobOrder& order,
                  const std::vector<BudgetAct>& acts) {
    const PolicyChoice& choice = setup.compiled.scenario.policy;
    if (setup.done != nullptr)
        *setup.done = 0;
    if (setup.made != nullptr && setup.made->run)
        return *std::exchange(setup.made->run, std::nullopt);
    if (acts.empty())
        return simulate(
            plan, order, choice, setup.record, setup.workspace, setup.done, setup.buckets);
    Plan acted = plan;
    act_on(setup.budgets, acts, acted);
    return simulate(acted,
                    order_for(acted, choice), // the world may be what moves it
                    choice,
                    setup.record,
                    setup.workspace,
                    setup.done,
                    setup.buckets);
}

/// Runs a plan. Its world and prices are drawn twice as far as long as that could change the run.
/// Draws stay the same, so a longer world begins like the shorter one.
DrawnRun simulate_in_drawn_world(const RunSetup& setup,
                                 const Plan& plan,
                                 const JobOrder& order,
                                 const std::vector<BudgetAct>& acts) {
    const Compiled& compiled = *setup.compiled.compiled;
    const Scenario& scenario = setup.compiled.scenario;
    DrawnRun out{simulate_once(setup, plan, order, acts)};
    if (!compiled.drawn_until || plan.until)
        return out;
    const auto closes = [&] {
        return std::ranges::any_of(acts,
                                   [&](const BudgetAct& act) {
                                       return closes_run(setup.budgets[act.budget], act);
                                   }) ||
               bar_all_waiting(setup.budgets, acts, plan, out.run.jobs.phase);
    };
    const auto needs_prices = [&](Duration until) {
        return draws_prices(scenario) && out.run.outcome.end >= until;
    };
    const auto needs_world = [&](Duration until) {
        return has_world(scenario) && needs_more_world(out.run.outcome, until, closes());
    };
    Duration until = *compiled.drawn_until;
    while (until < Duration{horizon_ms} && (needs_prices(until) || needs_world(until))) {
        if (!out.longer)
            out.longer = plan;
        const std::size_t num_events = out.longer->world.size();
        bool is_more = needs_prices(until);
        until = std::min(2 * until, Duration{horizon_ms});
        draw({scenario, compiled.labels.zero_utc_ms, until}, *out.longer);
        is_more = is_more || out.longer->world.size() != num_events;
        if (is_more)
            out.run = simulate_once(setup, *out.longer, order, acts);
    }
    return out;
}

/// Runs a plan to its own end. Jobs that wait while nothing runs may start after any event of the
/// world; whether they do is known only when no event is left, up to 34.8 years later. Where they
/// never do, the run is made again and closes when the last attempt has ended, the last job has
/// arrived and the last budget has acted.
DrawnRun simulate_in_world(const RunSetup& setup,
                           const Plan& plan,
                           const JobOrder& order,
                           const std::vector<BudgetAct>& acts) {
    DrawnRun out = simulate_in_drawn_world(setup, plan, order, acts);
    Duration close = out.run.outcome.busy_until;
    for (const BudgetAct& act : acts) // one may be why they never start
        close = std::max(close, act.at);
    if (plan.until || !waits_for_good(out.run.outcome) || close >= out.run.outcome.end)
        return out;
    if (!out.longer)
        out.longer = plan;
    const std::int64_t close_ms = close.count();
    std::erase_if(out.longer->world,
                  [&](const WorldEvent& event) { return event.time_ms > close_ms; });
    out.longer->world.emplace_back(close_ms, RunCloses{});
    out.run = simulate_once(setup, *out.longer, order, acts);
    return out;
}

/// Where prices follow from how nodes come and go: the plan with those prices, and the same run at
/// them. Only its costs differ. One run is not enough: the price of an instant depends on all nodes
/// that are paid for then, and how long a node is paid for is known only when it ends. The sums of
/// a ledger do not say at which instants time was held.
std::optional<Plan> settle(const RunSetup& setup,
                           const JobOrder& order,
                           const std::vector<BudgetAct>& acts,
                           DrawnRun& drawn) {
    const CompiledRun& run = setup.compiled;
    if (!prices_follow_use(run.scenario))
        return std::nullopt;
    Plan settled = drawn.longer ? *drawn.longer : run.compiled->plan;
    settle_prices(run.scenario, drawn.run.paid, settled);
    const std::uint64_t fingerprint = drawn.run.outcome.fingerprint;
    drawn.run = simulate_once(setup, settled, order, acts);
    if (drawn.run.outcome.fingerprint != fingerprint)
        throw std::logic_error{"a run at settled prices is another run"};
    return settled;
}

} // namespace

ActedRun simulate_and_act(const RunSetup& setup, const JobOrder& order) {
    const CompiledRun& run = setup.compiled;
    const Labels& labels = run.compiled->labels;
    ActedRun out;
    while (true) {
        out.drawn = simulate_in_world(setup, run.compiled->plan, order, out.acts);
        throw_if_unfinished(out.drawn.run, run.scenario.file);
        out.settled = settle(setup, order, out.acts, out.drawn);
        if (setup.budgets.empty())
            return out;
        const Run& left = out.drawn.run;
        const Result result = make_result(
            out.billed_plan_of(run), labels, left.outcome, left.jobs, left.timeline, {});
        auto act = next_act(
            result, setup.budgets, whole_months(run.scenario, labels, result.end), out.acts);
        if (!act || act->at > result.end) // an act may be what ended it
            return out;
        out.acts.push_back(std::move(*act));
    }
}

}} // namespace bursar::tools
