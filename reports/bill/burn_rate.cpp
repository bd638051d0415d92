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

/// What the fleet costs at the beginning of the window, and every change inside it, by time.
std::vector<Change> changes(const Result& result) {
    Change first{result.window_begin.count()};
    std::vector<Change> out;
    for (const ResultPool& pool : result.pools) {
        MoneyRate before = pool.price.at(result.window_begin);
        first.per_ms += per_ms(pool, before);
        const PriceSeries& series = pool.price.series();
        for (std::size_t step = 0; step < series.size(); ++step) {
            if (series.start_ms[step] <= result.window_begin.count() ||
                series.start_ms[step] >= result.window_end.count())
                continue;
            const MoneyRate after{series.rate[step]};
            out.push_back({series.start_ms[step], per_ms(pool, after - before)});
            before = after;
        }
    }
    std::ranges::sort(out, {}, &Change::time_ms);
    out.insert(out.begin(), first);
    return out;
}

/// What the fleet costs per ms in 95 % of the window at most. The window is not empty.
Money p95_per_ms(const Result& result) {
    const std::vector<Change> all = changes(result);
    std::vector<Level> levels;
    Money now;
    for (std::size_t i = 0; i < all.size(); ++i) {
        now += all[i].per_ms;
        const std::int64_t until =
            i + 1 < all.size() ? all[i + 1].time_ms : result.window_end.count();
        levels.push_back({now, until - all[i].time_ms});
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
