#include "reports/bill/months.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/spend_curve.hpp"
#include "reports/errors/report_error.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

using std::chrono::milliseconds;
using std::chrono::sys_days;
using std::chrono::year_month;

/// The months of UTC that the window lies in.
std::vector<ResultMonth> utc_months(const Result& result) {
    std::vector<ResultMonth> out;
    const std::chrono::sys_time<milliseconds> zero{milliseconds{result.zero_utc_ms.value_or(0)}};
    const auto since_zero = [&](year_month month) {
        return Duration{(sys_days{month / 1} - zero).count()};
    };
    const std::chrono::year_month_day first{
        std::chrono::floor<std::chrono::days>(zero + milliseconds{result.window_begin.count()})};
    for (year_month month = first.year() / first.month(); since_zero(month) < result.window_end;
         month += std::chrono::months{1})
        out.push_back({fmt::format("{:04}-{:02}",
                                   static_cast<int>(month.year()),
                                   static_cast<unsigned>(month.month())),
                       since_zero(month),
                       since_zero(month + std::chrono::months{1})});
    return out;
}

/// Whether it is known how many GPUs were paid for at each instant.
bool knows_when(const Result& result) {
    return result.timeline.size() > 0 || std::ranges::none_of(result.pools, &ResultPool::has_range);
}

bool has_dates(const Result& result) {
    return result.zero_utc_ms || !result.run.months.empty();
}

/// What `result` shows of itself without its figures.
Result without_figures(const Result& result) {
    Result out;
    out.run = result.run;
    out.run.other_costs.clear();
    out.run.budgets.clear();
    out.zero_utc_ms = result.zero_utc_ms;
    out.end = result.end;
    out.fingerprint = result.fingerprint;
    out.pools = result.pools;
    out.tenants = result.tenants;
    for (ResultPool& pool : out.pools) {
        pool.energy.reset();
        pool.grid.reset();
    }
    return out;
}

} // namespace

std::vector<ResultMonth> bill_months(const Result& result) {
    return result.run.months.empty() ? utc_months(result) : result.run.months;
}

Result bill_of_month(const Result& result, std::string_view month, const std::string& file) {
    const auto fail = [&](const std::string& why) {
        throw BadResult{fmt::format("{}: {}", terminal_text(file), why)};
    };
    const std::vector<ResultMonth> months = bill_months(result);
    if (!has_dates(result) || months.empty())
        fail("has no months, as its jobs have no dates");
    const auto found = std::ranges::find(months, month, &ResultMonth::name);
    if (found == months.end())
        fail(fmt::format("has no month {}; it has {} to {}",
                         terminal_text(month),
                         months.front().name,
                         months.back().name));
    const PeriodColumns& periods = result.periods;
    const auto is_divided_at = [&](Duration t) {
        return t <= result.window_begin || t >= result.window_end ||
               (t - periods.origin).count() % periods.width.count() == 0;
    };
    if (periods.size() == 0 || !is_divided_at(found->begin) || !is_divided_at(found->end))
        fail(fmt::format("is not divided at the ends of {}", found->name));
    Result out = without_figures(result);
    out.window_begin = std::clamp(found->begin, result.window_begin, result.window_end);
    out.window_end = std::clamp(found->end, result.window_begin, result.window_end);
    out.cells = result.cells;
    for (ResultCell& cell : out.cells) {
        cell.held = {};
        cell.cost = {};
        cell.grid = {};
    }
    for (std::size_t i = 0; i < periods.size(); ++i) {
        const Duration at =
            std::max(periods.origin + periods.bucket[i] * periods.width, result.window_begin);
        ResultCell& cell = out.cells[periods.cell[i]];
        if (at < found->begin || at >= found->end || cell.leaf == Leaf::unavail_reserved_unlaunched)
            continue;
        cell.held += periods.held(i);
        cell.cost += result.cost_of_period(i);
    }
    std::erase_if(out.cells, [](const ResultCell& cell) {
        return cell.held == SlotTime{} && cell.cost == Money{}; // saves may cost without time
    });
    return out;
}

std::vector<MonthShare> month_shares(const Result& result) {
    const std::vector<ResultMonth> months = bill_months(result);
    std::vector<MonthShare> out;
    if (!has_dates(result) || months.empty() || !knows_when(result))
        return out;
    const SpendCurve spent = SpendCurve::of_pools(result, std::nullopt);
    const SpendCurve time = SpendCurve::of_time(result);
    const LeafSums sums = leaf_sums(result);
    MonthShare rest{std::string{no_month_name}, sums.paid(), sums.paid_cost()};
    for (const ResultMonth& month : months) {
        const Duration begin = std::clamp(month.begin, result.window_begin, result.window_end);
        const Duration end = std::clamp(month.end, result.window_begin, result.window_end);
        out.push_back(
            {month.name, SlotTime{time.between(begin, end).count()}, spent.between(begin, end)});
        if (out.back().held < SlotTime{} || out.back().cost < Money{})
            return {};
        rest.held -= out.back().held;
        rest.cost -= out.back().cost;
    }
    if (rest.held < SlotTime{} || rest.cost < Money{})
        return {};
    if (rest.held > SlotTime{} || rest.cost > Money{})
        out.push_back(std::move(rest));
    return out;
}

std::vector<PrintedMonth> printed_months(const Result& result, const PrintedBill& bill) {
    std::vector<PrintedMonth> out;
    std::vector<int128> cost;
    std::vector<int128> held;
    for (const MonthShare& share : month_shares(result)) {
        out.push_back({share.name});
        cost.push_back(share.cost.count());
        held.push_back(share.held.count());
    }
    if (out.empty())
        return out;
    cost = largest_remainder(cost, money_per_micro_usd, bill.paid_usd);
    held = largest_remainder(held, slot_ms_per_micro_gpu_hour, bill.paid_hours);
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i].usd = cost[i];
        out[i].hours = held[i];
    }
    return out;
}

}} // namespace bursar::reports
