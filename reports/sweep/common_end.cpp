#include "reports/sweep/common_end.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <string_view>

#include "models/market/billing.hpp"

#include "sim/ledger/leaf.hpp"

#include "reports/rounding/printed_units.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {
namespace {

/// What goes on behind the end of a run, in millionths.
struct Later {
    int128 idle_usd{};
    int128 unlaunched_usd{};
    int128 idle_hours{};
    int128 unlaunched_hours{};
    int128 owned_usd{};
    int128 reserved_usd{};
};

int128 rounded(int128 numerator, int128 divisor) {
    const int128 half = divisor / 2;
    return numerator < 0 ? -((-numerator + half) / divisor) : (numerator + half) / divisor;
}

/// One pool from `from` to `to`, all inside of the bill; unlaunched: how much longer the rest of
/// its billing step is at the later end.
void add_pool(const KeptCapacity& pool, Duration idle, Duration unlaunched, Later& later) {
    const std::int64_t slots = pool.gpus * slots_per_gpu;
    const auto hours = [&](Duration time) {
        return rounded(int128{slots} * time.count(), slot_ms_per_micro_gpu_hour);
    };
    const auto usd = [&](Duration time) {
        return rounded(int128{slots} * time.count() * pool.rate.count(), money_per_micro_usd);
    };
    later.idle_hours += hours(idle);
    later.idle_usd += usd(idle);
    later.unlaunched_hours += hours(unlaunched);
    later.unlaunched_usd += usd(unlaunched);
    (pool.purchase == Purchase::owned ? later.owned_usd : later.reserved_usd) +=
        usd(idle + unlaunched);
}

Later later_of(Duration end, const SweepRow& row) {
    Later later;
    if (!row.ends_by_itself || end <= row.end)
        return later;
    for (const KeptCapacity& pool : row.kept) {
        if (row.measured_to) { // the bill ends there, and knows no rest of a step
            const Duration to = std::min(end, *row.measured_to);
            add_pool(pool, std::max(Duration{}, to - row.end), {}, later);
            continue;
        }
        const Duration rest = billed(end, pool.step) - end;
        add_pool(pool, end - row.end, rest - (billed(row.end, pool.step) - row.end), later);
    }
    return later;
}

/// Place of a scalar; precondition: there is one of that name.
std::size_t place_of(std::string_view name) {
    const ScalarRow* row = find_scalar(name);
    assert(row != nullptr);
    return static_cast<std::size_t>(row - scalar_table().data());
}

/// Adds millionths to a scalar that is kept in millionths.
void add(std::string_view name, int128 micro, SweepRow& row) {
    std::optional<double>& value = row.scalars[place_of(name)];
    if (value && micro != 0)
        value = std::round(*value * 1e6 + static_cast<double>(micro)) / 1e6;
}

/// GPU-hours of the leaves of those groups over all that are paid for, in millionths.
template <class Counts>
void set_share(std::string_view ratio, const Counts& counts, SweepRow& row) {
    std::optional<double>& share = row.scalars[place_of(ratio)];
    const std::optional<double> paid = row.scalars[place_of("gpu_hours.paid")];
    if (!share || !paid || *paid <= 0)
        return;
    double hours = 0;
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
        if (counts(group_of(static_cast<Leaf>(leaf))))
            hours += row.scalars[place_of("gpu_hours.by_leaf." + std::string{leaf_names[leaf]})]
                         .value_or(0);
    share = std::floor(hours / *paid * 1e6 + 0.5) / 1e6;
}

void pay_to(Duration end, SweepRow& row) {
    const Later later = later_of(end, row);
    const int128 hours = later.idle_hours + later.unlaunched_hours;
    const int128 usd = later.idle_usd + later.unlaunched_usd;
    if (hours == 0 && usd == 0)
        return;
    const std::optional<double> total_before = row.scalars[place_of("cost.total")];
    add("cost.total", usd, row);
    add("cost.paid", usd, row);
    add("cost.by_leaf.idle.no_demand", later.idle_usd, row);
    add("cost.by_leaf.unavail.reserved_unlaunched", later.unlaunched_usd, row);
    add("cost.by_purchase.owned", later.owned_usd, row);
    add("cost.by_purchase.reserved", later.reserved_usd, row);
    add("gpu_hours.paid", hours, row);
    add("gpu_hours.by_leaf.idle.no_demand", later.idle_hours, row);
    add("gpu_hours.by_leaf.unavail.reserved_unlaunched", later.unlaunched_hours, row);
    set_share(
        "ratios.goodput", [](LeafGroup group) { return group == LeafGroup::productive; }, row);
    set_share(
        "ratios.allocation",
        [](LeafGroup group) { return group != LeafGroup::unavailable && group != LeafGroup::idle; },
        row);
    std::optional<double>& each = row.scalars[place_of("cost.per_productive_gpu_hour")];
    if (each && total_before && *total_before > 0)
        each = *each * (*row.scalars[place_of("cost.total")] / *total_before);
}

} // namespace

Duration common_end(const SweepTable& table) {
    Duration end{};
    for (const SweepRow& row : table.rows)
        end = std::max(end, row.end);
    return end;
}

double cost_past_end(Duration end, const SweepRow& row) {
    const Later later = later_of(end, row);
    return static_cast<double>(later.idle_usd + later.unlaunched_usd) / 1e6;
}

SweepTable paid_to_common_end(SweepTable table) {
    const Duration end = common_end(table);
    for (SweepRow& row : table.rows)
        if (row.has_result())
            pay_to(end, row);
    return table;
}

}} // namespace bursar::reports
