#include "tools/simulate/budget_facts.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/calendar/months.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar::inline tools {
namespace {

bool asks_for_months(const Scenario& scenario) {
    return !scenario.calendar.empty() ||
           std::ranges::any_of(scenario.budgets, &BudgetSpec::is_monthly);
}

/// The months of a run, cut to it; by the time zone of the scenario, else by UTC. Precondition: the
/// workload has dates.
std::vector<ResultMonth> months_of(const Scenario& scenario, const Labels& labels, Duration end) {
    const std::int64_t zero = *labels.zero_utc_ms;
    const std::string zone = scenario.calendar.empty() ? "UTC" : scenario.calendar;
    std::vector<ResultMonth> months;
    for (const CalendarMonth& month : months_between(zone, zero, zero + end.count())) {
        const auto since_zero = [&](std::int64_t utc_ms) {
            return std::clamp(Duration{utc_ms - zero}, Duration{}, end);
        };
        months.push_back(
            {month.name, since_zero(month.begin_utc_ms), since_zero(month.end_utc_ms)});
    }
    return months;
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
                   mistake(fmt::format("no {} of the run is named {}", what, in_quotes(name)),
                           {},
                           suggestion(name, all)));
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
    if (spec.burn)
        budget.burn = BurnLimit{exact(spec.burn->nano_usd_per_hour), spec.burn->over};
    return budget;
}

} // namespace

void check_budgets(const Scenario& scenario, const Labels& labels) {
    for (const BudgetSpec& spec : scenario.budgets)
        static_cast<void>(budget_of(spec, labels));
    if (asks_for_months(scenario) && !labels.zero_utc_ms)
        fail_input({scenario.file, 0, 0},
                   scenario.calendar.empty() ? "budgets" : "calendar",
                   mistake("months need dates",
                           "the workload has none: nobody says what day the run begins",
                           "give workload.trace.start"));
}

bool spends_over_time(const Scenario& scenario) {
    return !scenario.budgets.empty() || !scenario.calendar.empty();
}

void add_budgets(const Scenario& scenario, const Labels& labels, Duration end, RunFacts& facts) {
    for (const BudgetSpec& spec : scenario.budgets)
        facts.budgets.push_back(budget_of(spec, labels));
    if (asks_for_months(scenario))
        facts.months = months_of(scenario, labels, end);
    if (asks_for_months(scenario) && scenario.calendar.empty())
        facts.assumed.emplace_back("months of budgets are those of UTC");
    for (const BudgetSpec& spec : scenario.budgets)
        if (spec.burn && spec.burn->over > end)
            facts.warnings.push_back(
                fmt::format("budgets: `burn` of {} looks back over more than the whole run: it "
                            "can never be an alert",
                            spec.name.empty() ? "a budget" : in_quotes(spec.name)));
}

} // namespace bursar::inline tools
