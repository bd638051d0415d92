#include "reports/focus/charge_periods.hpp"

#include <algorithm>
#include <chrono>

#include "reports/bill/months.hpp"

namespace bursar { inline namespace reports {
namespace {

using std::chrono::milliseconds;
using std::chrono::sys_days;
using std::chrono::year_month_day;

std::int64_t floor_to(std::int64_t ms, Duration step) {
    const std::int64_t rest = ms % step.count();
    return ms - (rest < 0 ? rest + step.count() : rest);
}

std::int64_t ceil_to(std::int64_t ms, Duration step) {
    return -floor_to(-ms, step);
}

std::int64_t to_ms(sys_days date) {
    return milliseconds{date.time_since_epoch()}.count();
}

/// The begin of the month after one that begins near a month of UTC, as far from it.
std::int64_t month_after(std::int64_t begin_ms) {
    const std::chrono::sys_time<milliseconds> middle{milliseconds{begin_ms} +
                                                     std::chrono::days{15}};
    const year_month_day date{std::chrono::floor<std::chrono::days>(middle)};
    const auto month = date.year() / date.month();
    return to_ms((month + std::chrono::months{1}) / 1) + begin_ms - to_ms(month / 1);
}

} // namespace

ChargePeriods::ChargePeriods(const Result& result)
    : zero_ms_{result.zero_utc_ms.value_or(0)}, window_begin_{result.window_begin},
      window_end_{result.window_end} {
    const std::vector<ResultMonth> months = bill_months(result);
    num_months_ = months.size();
    for (const ResultMonth& month : months)
        month_ms_.push_back(zero_ms_ + month.begin.count());
    if (!months.empty()) {
        month_ms_.push_back(zero_ms_ + months.back().end.count());
        return;
    }
    const std::chrono::sys_time<milliseconds> zero{milliseconds{zero_ms_}};
    const year_month_day date{std::chrono::floor<std::chrono::days>(zero)};
    month_ms_.push_back(to_ms(date.year() / date.month() / 1));
}

std::vector<ChargePeriod> ChargePeriods::divide(Duration begin, Duration end) {
    std::vector<ChargePeriod> parts = divide_dates(floor_to(zero_ms_ + begin.count(), second),
                                                   floor_to(zero_ms_ + end.count(), second));
    for (ChargePeriod& part : parts) {
        part.begin = std::clamp(Duration{part.from_ms - zero_ms_}, window_begin_, window_end_);
        part.end = std::clamp(Duration{part.to_ms - zero_ms_}, window_begin_, window_end_);
    }
    const auto is_outside = [](const ChargePeriod& part) { return part.begin == part.end; };
    if (std::ranges::all_of(parts, is_outside))
        parts.resize(1);
    else
        std::erase_if(parts, is_outside);
    return parts;
}

std::vector<ChargePeriod> ChargePeriods::window() {
    const std::int64_t from = floor_to(zero_ms_ + window_begin_.count(), hour);
    const std::int64_t to = ceil_to(zero_ms_ + window_end_.count(), hour);
    return divide(Duration{from - zero_ms_},
                  Duration{std::max(to, from + hour.count()) - zero_ms_});
}

std::vector<ChargePeriod> ChargePeriods::after(Duration length) {
    const std::size_t last = month_at(zero_ms_ + window_end_.count() - 1);
    const std::size_t first = std::max(last + 1, num_months_);
    while (month_ms_.size() <= first)
        month_ms_.push_back(month_after(month_ms_.back()));
    const std::int64_t from = month_ms_[first];
    std::vector<ChargePeriod> parts = divide_dates(from, from + ceil_to(length.count(), second));
    for (ChargePeriod& part : parts) {
        part.begin = Duration{part.from_ms - from};
        part.end = std::min(Duration{part.to_ms - from}, length);
    }
    return parts;
}

std::vector<ChargePeriod> ChargePeriods::divide_dates(std::int64_t from_ms, std::int64_t to_ms) {
    std::vector<ChargePeriod> parts;
    for (std::int64_t at = from_ms; at < to_ms || parts.empty();) {
        const std::size_t month = month_at(at);
        const std::int64_t until = std::min(to_ms, month_ms_[month + 1]);
        parts.push_back({at, until, month_ms_[month], month_ms_[month + 1], month, {}, {}});
        at = until;
    }
    return parts;
}

std::size_t ChargePeriods::month_at(std::int64_t utc_ms) {
    while (month_ms_.size() < 2 || month_ms_.back() <= utc_ms)
        month_ms_.push_back(month_after(month_ms_.back()));
    const auto after = std::ranges::upper_bound(month_ms_, utc_ms);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - month_ms_.begin(), 1) - 1);
}

}} // namespace bursar::reports
