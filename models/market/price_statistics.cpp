#include "models/market/price_statistics.hpp"

#include <algorithm>
#include <cassert>

namespace bursar { inline namespace models {
namespace {

/// The instant at which step i ends.
std::int64_t end_of(const PriceSeries& series, std::size_t i, Duration end) {
    return i + 1 < series.size() ? series.start_ms[i + 1] : end.count();
}

/// The smallest of the sorted stretches that `percent` of them do not exceed.
Duration percentile(const std::vector<Duration>& sorted, std::size_t percent) {
    const std::size_t rank = (sorted.size() * percent + 99) / 100;
    return sorted[std::max<std::size_t>(rank, 1) - 1];
}

} // namespace

PriceStatistics price_statistics(const PriceSeries& series, Duration end) {
    assert(series.is_valid() && end.count() > series.start_ms.front());
    PriceStatistics found;
    found.length = end - Duration{series.start_ms.front()};
    found.min = found.max = MoneyRate{series.rate.front()};
    int128 sum = 0;
    std::int64_t before = series.rate.front();
    for (std::size_t i = 0; i < series.size() && series.start_ms[i] < end.count(); ++i) {
        const std::int64_t until = std::min(end_of(series, i, end), end.count());
        sum += int128{series.rate[i]} * (until - series.start_ms[i]);
        found.min = std::min(found.min, MoneyRate{series.rate[i]});
        found.max = std::max(found.max, MoneyRate{series.rate[i]});
        found.num_changes += series.rate[i] != before ? 1 : 0;
        before = series.rate[i];
    }
    const std::int64_t length = found.length.count();
    found.mean = MoneyRate{static_cast<std::int64_t>((sum + length / 2) / length)};
    found.changes_per_day = static_cast<double>(found.num_changes) *
                            static_cast<double>(day.count()) / static_cast<double>(length);
    return found;
}

std::vector<Duration> up_times(const PriceSeries& series, Duration end, MoneyRate bid) {
    std::vector<Duration> stretches;
    bool is_up = false;
    for (std::size_t i = 0; i < series.size() && series.start_ms[i] < end.count(); ++i) {
        const bool was_up = is_up;
        is_up = series.rate[i] <= bid.count();
        if (!is_up)
            continue;
        const Duration held{std::min(end_of(series, i, end), end.count()) - series.start_ms[i]};
        if (was_up)
            stretches.back() += held;
        else
            stretches.push_back(held);
    }
    return stretches;
}

UpTimes summary_of(std::vector<Duration> stretches) {
    UpTimes found;
    found.count = stretches.size();
    if (stretches.empty())
        return found;
    std::sort(stretches.begin(), stretches.end());
    for (const Duration stretch : stretches)
        found.total += stretch;
    found.mean = Duration{found.total.count() / static_cast<std::int64_t>(found.count)};
    found.p50 = percentile(stretches, 50);
    found.p90 = percentile(stretches, 90);
    found.max = stretches.back();
    return found;
}

}} // namespace bursar::models
