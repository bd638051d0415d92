#include "tools/simulate/budget_facts.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "policies/choice/policy_choice.hpp"

#include "scenarios/calendar/calendar.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

#include "reports/bill/budgets.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace tools {
namespace {

bool asks_for_months(const Scenario& scenario) {
    return !scenario.calendar.empty() ||
           std::ranges::any_of(scenario.budgets, &BudgetSpec::is_monthly);
}

/// The place of `name` among `all`; absent for none.
std::optional<std::uint32_t> index_of(const std::string& name,
                                      const std::vector<std::string>& all,
                                      const char* what,
                                      const BudgetSpec& budget) {
    if (name.empty())
        return std::nullopt;
    const auto found = std::ranges::find(all, name);
    if (found == all.end())
        fail_input(budget.place,
                   fmt::format("budgets.{}", what),
                   none_named(fmt::format("no {} of the run is", what), name, all));
    return static_cast<std::uint32_t>(found - all.begin());
}

Money exact(std::int64_t nano_usd) {
    return MoneyRate{nano_usd} * SlotTime{slot_ms_per_gpu_hour};
}

ResultBudget budget_of(const BudgetSpec& spec, const Labels& labels) {
    ResultBudget budget;
    budget.name = spec.name;
    budget.limit = exact(spec.limit_nano_usd);
    budget.pool = index_of(spec.pool, labels.pools, "pool", spec);
    budget.tenant = index_of(spec.tenant, labels.tenants, "tenant", spec);
    budget.is_monthly = spec.is_monthly;
    budget.fails = spec.fails;
    budget.action = static_cast<BudgetAction>(spec.then); // they have the same order
    if (spec.burn)
        budget.burn = BurnLimit{exact(spec.burn->nano_usd_per_hour), spec.burn->over};
    return budget;
}

/// Whether a job at the head of the queue that may not start blocks all jobs behind it.
bool head_blocks_all(const PolicyChoice& policy) {
    return head_of(policy) == HeadRule::block &&
           (policy.backfill.empty() || policy.backfill == "none");
}

void check_action(const Scenario& scenario, const BudgetSpec& budget) {
    if (budget.then == BudgetThen::alert || budget.tenant.empty() ||
        !head_blocks_all(scenario.policy))
        return;
    fail_input(budget.place,
               "budgets.then",
               mistake("a job at the head of the queue that may not start would hold up those of "
                       "all tenants behind it",
                       "policy.head is block",
                       "policy.head: skip, or a policy.backfill"));
}

/// Notes the pools that are paid for although a budget closes them.
void note_pools_still_paid(const Scenario& scenario,
                           const ResultBudget& budget,
                           std::vector<std::string>& assumed) {
    if (budget.action == BudgetAction::alert || budget.tenant ||
        (!budget.pool && !budget.is_monthly))
        return;
    std::string names;
    for (std::size_t pool = 0; pool < scenario.fleet.size(); ++pool)
        if ((!budget.pool || *budget.pool == pool) && !scenario.fleet[pool].has_range())
            names += (names.empty() ? "" : ", ") + scenario.fleet[pool].name;
    if (!names.empty())
        assumed.push_back(
            fmt::format("budgets: nodes of {} are paid for even when no job may start "
                        "there: only those of a range (`nodes: 0..8`) end",
                        names));
}

std::vector<BudgetStop>
stops_of(const std::vector<BudgetAct>& acts, std::size_t budget, Duration end) {
    std::vector<BudgetStop> stops;
    for (const BudgetAct& act : acts)
        if (act.budget == budget)
            stops.push_back({act.at, std::min(act.until.value_or(end), end), 0});
    return stops;
}

} // namespace

bool budgets_act(const Scenario& scenario) {
    return std::ranges::any_of(scenario.budgets, [](const BudgetSpec& budget) {
        return budget.then != BudgetThen::alert;
    });
}

std::string spent_sentence(const BudgetSpec& budget) {
    const std::string title = !budget.name.empty()     ? budget.name
                              : !budget.pool.empty()   ? "pool " + budget.pool
                              : !budget.tenant.empty() ? "tenant " + budget.tenant
                                                       : "all";
    return fmt::format(
        "budget {}: {} USD are spent{}, {}",
        title,
        grouped_text(divide_half_up(int128{budget.limit_nano_usd}, int128{nano_usd_per_usd / 100}),
                     2),
        budget.is_monthly ? " in a month" : "",
        budget.then == BudgetThen::stop_jobs ? "jobs are stopped then, and none starts after that"
                                             : "and no job starts after that");
}

std::vector<ResultBudget> budgets_of(const Scenario& scenario, const Labels& labels) {
    std::vector<ResultBudget> budgets;
    for (const BudgetSpec& spec : scenario.budgets)
        budgets.push_back(budget_of(spec, labels));
    return budgets;
}

std::vector<ResultMonth>
whole_months(const Scenario& scenario, const Labels& labels, Duration end) {
    std::vector<ResultMonth> months;
    if (!asks_for_months(scenario))
        return months;
    const std::int64_t zero = *labels.zero_utc_ms;
    const std::string zone = scenario.calendar.empty() ? "UTC" : scenario.calendar;
    for (const CalendarMonth& month : months_between(zone, zero, zero + end.count()))
        months.push_back(
            {month.name, Duration{month.begin_utc_ms - zero}, Duration{month.end_utc_ms - zero}});
    return months;
}

void check_budgets(const Scenario& scenario, const Labels& labels) {
    static_cast<void>(budgets_of(scenario, labels));
    for (const BudgetSpec& spec : scenario.budgets)
        check_action(scenario, spec);
    if (asks_for_months(scenario) && !labels.zero_utc_ms)
        fail_input(
            {scenario.file, 0, 0},
            scenario.calendar.empty() ? "budgets" : "calendar",
            mistake("months need dates",
                    "the workload has none: the day on which the run begins is not specified",
                    "give workload.trace.start"));
}

bool spends_over_time(const Scenario& scenario) {
    return !scenario.budgets.empty() || !scenario.calendar.empty();
}

void add_budgets(const Scenario& scenario,
                 const Labels& labels,
                 const std::vector<BudgetAct>& acts,
                 Duration end,
                 RunFacts& facts) {
    facts.budgets = budgets_of(scenario, labels);
    for (std::size_t i = 0; i < facts.budgets.size(); ++i) {
        facts.budgets[i].stops = stops_of(acts, i, end);
        note_pools_still_paid(scenario, facts.budgets[i], facts.assumed);
    }
    facts.months = whole_months(scenario, labels, end);
    if (asks_for_months(scenario) && scenario.calendar.empty())
        facts.assumed.emplace_back("months of budgets are those of UTC");
    for (const BudgetSpec& spec : scenario.budgets)
        if (spec.burn && spec.burn->over > end)
            facts.warnings.push_back(
                fmt::format("budgets: `burn` of {} looks back over more than the whole run: it "
                            "can never be an alert",
                            spec.name.empty() ? "a budget" : in_quotes(spec.name)));
}

void count_exceeded(const Result& result, std::vector<ResultBudget>& budgets) {
    const std::vector<BudgetOutcome> outcomes = budget_outcomes(result);
    for (std::size_t i = 0; i < outcomes.size(); ++i)
        budgets[i].seeds_exceeded += outcomes[i].is_exceeded() ? 1 : 0;
}

}} // namespace bursar::tools
