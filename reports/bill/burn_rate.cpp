#include "reports/bill/burn_rate.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

/// A change of what the fleet costs per ms, and its time.
struct Change {
    std::int64_t time_ms{};
    Money per_ms{};
};

/// How long the fleet costs an amount per ms.
struct Level {
    Money per_ms{};
    std::int64_t held_ms{};
};

Money per_ms(const ResultPool& pool, MoneyRate rate) {
    return rate * slot_time(pool.num_gpus() * slots_per_gpu, millisecond);
}

/// Every change of what the fleet costs, by time; those outside the window at its begin or end.
std::vector<Change> changes(const Result& result) {
    const std::int64_t begin_ms = result.window_begin.count();
    const std::int64_t end_ms = result.window_end.count();
    std::vector<Change> out{{end_ms, {}}};
    for (const ResultPool& pool : result.pools) {
        MoneyRate before = pool.price.rate().value_or(MoneyRate{});
        out.push_back({begin_ms, per_ms(pool, before)});
        const PriceSeries& series = pool.price.series();
        for (std::size_t step = 0; step < series.size(); ++step) {
            const MoneyRate after{series.rate[step]};
            out.push_back({std::clamp(series.start_ms[step], begin_ms, end_ms),
                           per_ms(pool, after - before)});
            before = after;
        }
    }
    std::ranges::sort(out, {}, &Change::time_ms);
    return out;
}

/// What the fleet costs per ms in 95 % of the window at most. The window is not empty.
Money p95_per_ms(const Result& result) {
    std::vector<Level> levels;
    Money now;
    std::int64_t since_ms = result.window_begin.count();
    for (const Change& change : changes(result)) {
        levels.push_back({now, change.time_ms - since_ms});
        now += change.per_ms;
        since_ms = change.time_ms;
    }
    std::ranges::sort(levels, [](const Level& a, const Level& b) { return a.per_ms < b.per_ms; });
    const std::int64_t window_ms = (result.window_end - result.window_begin).count();
    std::int64_t held_ms = 0;
    for (const Level& level : levels) {
        held_ms += level.held_ms;
        if (held_ms * int128{100} >= window_ms * int128{95})
            return level.per_ms;
    }
    return levels.back().per_ms;
}

/// What pools that are there all the time are billed for beyond the end of the run.
Money beyond_end(const Result& result) {
    Money sum;
    for (const ResultCell& cell : result.cells)
        if (cell.leaf == Leaf::unavail_reserved_unlaunched && !result.pools[cell.pool].has_range())
            sum += cell.cost;
    return sum;
}

} // namespace

std::optional<BurnRate> burn_rate(const Result& result) {
    const Duration window = result.window_end - result.window_begin;
    if (window <= Duration{})
        return std::nullopt;
    // money / money_per_cent is cents over the window; x hour / window is cents per hour.
    const int128 money_per_cent_hour = money_per_usd / 100 / hour.count();
    const Money other = other_cost(result);
    const Money total = leaf_sums(result).paid_cost() - beyond_end(result) + other;
    BurnRate rate{divide_half_up(total.count(), money_per_cent_hour * window.count())};
    if (std::ranges::none_of(result.pools, &ResultPool::has_range)) {
        const Money p95 = p95_per_ms(result) * window.count() + other;
        rate.p95_cents = divide_half_up(p95.count(), money_per_cent_hour * window.count());
    }
    return rate;
}

}} // namespace bursar::reports
