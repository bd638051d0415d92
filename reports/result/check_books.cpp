#include "reports/result/check_books.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/result/result_attempt.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Later than any change of a price.
constexpr Duration no_end = max_series_time;

bool is_allocated(Leaf leaf) {
    return group_of(leaf) >= LeafGroup::overhead;
}

bool can_be_given_back(Purchase purchase) {
    return purchase == Purchase::on_demand || purchase == Purchase::spot;
}

SlotTime capacity(const ResultPool& pool, std::int64_t span_ms) {
    return slot_time(pool.num_gpus() * slots_per_gpu, Duration{span_ms});
}

/// Whether the cost of a cell fits the lowest and highest price of its pool. Shares of a time span
/// are rounded, by less than a unit per slot-ms (sim/ledger/held_time.hpp).
bool is_within(const PriceRange& range, const ResultCell& cell) {
    const Money rounding = MoneyRate{1} * cell.held;
    return cell.cost >= range.min * cell.held - rounding &&
           cell.cost <= range.max * cell.held + rounding;
}

std::string mistake_in_costs(const Result& result) {
    std::vector<PriceRange> ranges;
    for (const ResultPool& pool : result.pools)
        ranges.push_back(pool.price.range(Duration{}, no_end));
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
        const ResultCell& cell = result.cells[i];
        const ResultPool& pool = result.pools[cell.pool];
        if (const auto rate = pool.price.rate(); rate && cell.cost != *rate * cell.held)
            return fmt::format("the cost of cell {} is not its time x the rate of its pool", i);
        if (!is_within(ranges[cell.pool], cell))
            return fmt::format("the cost of cell {} is not its time x prices of its pool", i);
    }
    return "";
}

std::string mistake_in_capacity(const Result& result) {
    std::vector<SlotTime> held(result.pools.size());
    std::vector<Money> cost(result.pools.size());
    for (const ResultCell& cell : result.cells) {
        if (cell.leaf == Leaf::unavail_reserved_unlaunched)
            continue;
        held[cell.pool] += cell.held;
        cost[cell.pool] += cell.cost;
    }
    for (std::size_t p = 0; p < held.size(); ++p) {
        const ResultPool& pool = result.pools[p];
        const SlotTime all = capacity(pool, (result.window_end - result.window_begin).count());
        const Money all_cost = pool.cost_between(result.window_begin, result.window_end);
        const bool is_less = held[p] < all || cost[p] < all_cost;
        if (held[p] > all || cost[p] > all_cost || (is_less && !can_be_given_back(pool.purchase)))
            return fmt::format("the cells of pool {} do not add up to its GPUs over the window",
                               terminal_text(pool.name));
    }
    return "";
}

/// Allocated time and its cost, by pool and tenant.
class Allocated {
  public:
    explicit Allocated(const Result& result)
        : result_{result}, num_tenants_{result.tenants.size()},
          held_(result.pools.size() * num_tenants_), cost_(held_.size()) {}

    /// Adds the part of an attempt inside the window.
    void add(const ResultAttempt& attempt) {
        const Duration from = std::max(attempt.start, result_.window_begin);
        const Duration to = std::min(attempt.end, result_.window_end);
        if (from >= to)
            return;
        const std::size_t at = attempt.pool * num_tenants_ + result_.jobs.tenant[attempt.job];
        held_[at] += slot_time(attempt.slots, to - from);
        cost_[at] += static_cast<uint128>(
            result_.pools[attempt.pool].price.cost(attempt.slots, from, to).count());
    }
    void subtract(const ResultCell& cell) {
        const std::size_t at = cell.pool * num_tenants_ + cell.tenant.value_or(0);
        held_[at] -= cell.held;
        cost_[at] -= static_cast<uint128>(cell.cost.count());
    }
    [[nodiscard]] bool is_nothing() const {
        return std::ranges::all_of(held_, [](SlotTime held) { return held == SlotTime{}; }) &&
               std::ranges::all_of(cost_, [](uint128 cost) { return cost == 0; });
    }

  private:
    const Result& result_;
    std::size_t num_tenants_;
    std::vector<SlotTime> held_;
    std::vector<uint128> cost_; ///< modulo 2^128: a sum that is wrong may be large
};

std::string mistake_in_attempts(const Result& result) {
    Allocated allocated{result};
    for_each_attempt(result, [&](const ResultAttempt& attempt) { allocated.add(attempt); });
    for (const ResultCell& cell : result.cells) {
        if (!is_allocated(cell.leaf))
            continue;
        if (!cell.tenant)
            return "allocated time belongs to no tenant";
        allocated.subtract(cell);
    }
    return allocated.is_nothing() ? "" : "the cells of tenants do not hold what their jobs held";
}

std::string mistake_in_counts(const Result& result) {
    const auto jobs_that = [&](auto are) {
        return static_cast<std::uint64_t>(std::ranges::count_if(result.jobs.state, are));
    };
    const auto last_attempts = jobs_that(
        [](JobState state) { return has_started(state) && state != JobState::preempted; });
    if (result.num_started != last_attempts + result.stopped.size())
        return "there are not as many attempts as are said to have started";
    if (result.num_finished != jobs_that(has_finished))
        return "there are not as many jobs finished as is said";
    return "";
}

/// Whether the parts of each cell add up to it.
std::string mistake_in_periods(const Result& result) {
    if (result.periods.size() == 0)
        return "";
    const bool varies = std::ranges::any_of(
        result.pools, [](const ResultPool& pool) { return pool.price.varies(); });
    if (varies == result.periods.cost_high.empty())
        return "parts of cells have costs of their own where prices vary, and only there";
    std::vector<SlotTime> held(result.cells.size());
    std::vector<uint128> cost(result.cells.size()); // modulo 2^128
    for (std::size_t i = 0; i < result.periods.size(); ++i) {
        held[result.periods.cell[i]] += result.periods.held(i);
        cost[result.periods.cell[i]] += static_cast<uint128>(result.cost_of_period(i).count());
    }
    for (std::size_t i = 0; i < result.cells.size(); ++i)
        if (held[i] != result.cells[i].held ||
            cost[i] != static_cast<uint128>(result.cells[i].cost.count()))
            return fmt::format("the parts of cell {} do not add up to it", i);
    return "";
}

} // namespace

std::string mistake_in_books(const Result& result) {
    for (const auto& mistake_in : {mistake_in_costs, mistake_in_capacity, mistake_in_periods})
        if (std::string mistake = mistake_in(result); !mistake.empty())
            return mistake;
    if (result.jobs.size() == 0) // none were recorded
        return "";
    for (const auto& mistake_in : {mistake_in_attempts, mistake_in_counts})
        if (std::string mistake = mistake_in(result); !mistake.empty())
            return mistake;
    return "";
}

}} // namespace bursar::reports
