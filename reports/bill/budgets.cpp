#include "reports/bill/budgets.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reports/bill/bill_table.hpp"
#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/months.hpp"
#include "reports/bill/spend_curve.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/rounding/printed_units.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr int128 exact_cent = money_per_usd / 100;

std::string usd_text(Money money) {
    return grouped_text(divide_half_up(money.count(), exact_cent), 2);
}

SpendCurve curve_of(const Result& result, const ResultBudget& budget) {
    return budget.tenant ? SpendCurve::of_tenant(result, *budget.tenant)
                         : SpendCurve::of_pools(result, budget.pool);
}

/// What the budget pays for that no instant of the run accounts for; it falls on the end.
Money billed_at_end(const Result& result, const ResultBudget& budget, const SpendCurve& curve) {
    const bool all_measured = result.window_begin == Duration{} && result.window_end == result.end;
    if (budget.tenant || !all_measured)
        return {};
    Money rest = -curve.until(result.end);
    for (const ResultCell& cell : result.cells)
        if (!budget.pool || *budget.pool == cell.pool)
            rest += cell.cost;
    return budget.pool ? rest : rest + other_cost(result);
}

BudgetPeriod period_of(const ResultBudget& budget,
                       const SpendCurve& curve,
                       const ResultMonth& span,
                       Money at_end) {
    BudgetPeriod period{span.name, curve.between(span.begin, span.end) + at_end, {}};
    if (period.spent > budget.limit)
        period.exceeded_at = curve.exceeds(budget.limit, span.begin, span.end).value_or(span.end);
    return period;
}

BudgetOutcome outcome_of(const Result& result, const ResultBudget& budget) {
    const SpendCurve curve = curve_of(result, budget);
    BudgetOutcome outcome{&budget, {}, {}};
    std::vector<ResultMonth> spans{{"", Duration{}, result.end}};
    if (budget.is_monthly)
        spans = result.run.months;
    for (ResultMonth& span : spans)
        span.end = std::min(span.end, result.end);
    const Money at_end = billed_at_end(result, budget, curve);
    for (const ResultMonth& span : spans)
        outcome.periods.push_back(
            period_of(budget, curve, span, &span == &spans.back() ? at_end : Money{}));
    if (const auto& burn = budget.burn) {
        // In exact units: an hour's limit x ms of the span over ms of an hour, rounded down.
        const Money limit{burn->per_hour.count() / hour.count() * burn->over.count()};
        outcome.burned_at = curve.burns(limit, burn->over, result.end);
    }
    return outcome;
}

/// "budget of pool owned", or its own name.
std::string title_of(const Result& result, const ResultBudget& budget) {
    if (!budget.name.empty())
        return budget.name;
    if (budget.pool)
        return "pool " + result.pools[*budget.pool].name;
    if (budget.tenant)
        return "tenant " + result.tenants[*budget.tenant];
    return "all";
}

/// "spent 2017-10-20 04:00:00Z: 12 jobs stopped, none started until 2017-11-01 00:00:00Z".
std::string stop_text(const Result& result, const ResultBudget& budget, const BudgetStop& stop) {
    const std::string until =
        stop.end == result.end ? "the end" : readable_instant(result.zero_utc_ms, stop.end);
    const auto num = static_cast<std::int64_t>(stop.num_stopped);
    const std::string stopped = budget.action == BudgetAction::stop_jobs
                                    ? fmt::format("{} {} stopped, none started",
                                                  grouped_text(num, 0),
                                                  num == 1 ? "job" : "jobs")
                                    : "no job started";
    return fmt::format(
        "spent {}: {} until {}", readable_instant(result.zero_utc_ms, stop.begin), stopped, until);
}

} // namespace

bool BudgetOutcome::is_exceeded() const {
    return std::ranges::any_of(
        periods, [](const BudgetPeriod& period) { return period.exceeded_at.has_value(); });
}

std::vector<BudgetOutcome> budget_outcomes(const Result& result) {
    std::vector<BudgetOutcome> outcomes;
    for (const ResultBudget& budget : result.run.budgets)
        outcomes.push_back(outcome_of(result, budget));
    return outcomes;
}

std::vector<BudgetSentence> budget_sentences(const Result& result) {
    std::vector<BudgetSentence> out;
    for (const BudgetOutcome& outcome : budget_outcomes(result)) {
        const ResultBudget& budget = *outcome.budget;
        const std::string title = title_of(result, budget);
        for (const BudgetPeriod& period : outcome.periods) {
            std::string text = fmt::format("{}{}: {} of {} USD spent",
                                           title,
                                           period.name.empty() ? "" : ", " + period.name,
                                           usd_text(period.spent),
                                           usd_text(budget.limit));
            if (period.exceeded_at)
                text += ", exceeded " + readable_instant(result.zero_utc_ms, *period.exceeded_at);
            out.push_back({period.exceeded_at.has_value(), std::move(text)});
        }
        for (const BudgetStop& stop : budget.stops)
            out.push_back({true, title + ": " + stop_text(result, budget, stop)});
        if (outcome.burned_at)
            out.push_back({true,
                           fmt::format("{}: more than {} USD/h over {}, first {}",
                                       title,
                                       usd_text(budget.burn->per_hour),
                                       span_text(budget.burn->over),
                                       readable_instant(result.zero_utc_ms, *outcome.burned_at))});
        if (result.repeats && budget.seeds_exceeded > 0)
            out.push_back({true,
                           fmt::format("{}: exceeded with {} of {} seeds",
                                       title,
                                       budget.seeds_exceeded,
                                       result.repeats->n)});
    }
    return out;
}

std::string failed_budgets(const Result& result) {
    std::string text;
    for (const BudgetOutcome& outcome : budget_outcomes(result))
        if (outcome.budget->fails && (outcome.is_exceeded() || outcome.budget->seeds_exceeded > 0))
            text += fmt::format("{}budget exceeded: {}",
                                text.empty() ? "" : "\n",
                                title_of(result, *outcome.budget));
    return text;
}

std::vector<std::string> month_sentences(const Result& result) {
    if (result.run.months.empty())
        return {};
    const std::vector<MonthShare> costs = month_shares(result);
    std::vector<int128> exact;
    for (const MonthShare& cost : costs)
        exact.push_back(cost.cost.count());
    const std::vector<int128> cents =
        costs.empty() ? exact
                      : largest_remainder(exact, exact_cent, bill_table(result, {}).paid.usd_cents);
    std::vector<std::string> out;
    for (std::size_t i = 0; i < costs.size(); ++i)
        out.push_back(fmt::format("{}: {} USD", costs[i].name, grouped_text(cents[i], 2)));
    return out;
}

}} // namespace bursar::reports
