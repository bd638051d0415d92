#pragma once

#include <array>
#include <vector>

#include "models/units/int128.hpp"
#include "models/units/units.hpp"

#include "sim/ledger/leaf.hpp"

#include "reports/bill/leaf_sums.hpp"
#include "reports/result/result.hpp"
#include "reports/rounding/printed_units.hpp"

namespace bursar { inline namespace reports {

/// A quantity of a result in the units of files: in all, by leaf and by cell. Leaves add up to the
/// total, cells to their leaf.
struct PrintedLevels {
    int128 total{};
    std::array<int128, num_leaves> leaves{};
    std::vector<int128> cells; ///< per cell of the result

    bool operator==(const PrintedLevels&) const = default;
};

/// Apportions `total` to the leaves and each leaf's share to its cells, by largest remainder.
/// exact: the numerator of every cell; divisor: of a printed unit.
[[nodiscard]] PrintedLevels
print_levels(const Result& result, const std::vector<int128>& exact, int128 divisor, int128 total);

/// The figures of JSON and CSV: USD and GPU-hours in whole millionths that add up exactly.
///
/// The total is rounded half up once from its exact numerator. Then each level is apportioned to
/// the level above by largest remainder: total -> paid and other costs -> leaves -> cells (pool,
/// tenant, leaf). All other sums of JSON and CSV (by pool, by tenant) are sums of these cells, so
/// every grouping in every file adds up to the same totals. A figure by leaf is off by less than
/// two millionths, a cell by less than three.
struct PrintedBill {
    int128 total_usd{};
    int128 paid_usd{};
    int128 paid_hours{};
    std::vector<int128> other_usd; ///< per other cost
    std::array<int128, num_leaves> leaf_usd{};
    std::array<int128, num_leaves> leaf_hours{};
    std::vector<int128> cell_usd; ///< per cell of the result
    std::vector<int128> cell_hours;

    [[nodiscard]] int128 all_other_usd() const { return total_usd - paid_usd; }
    /// Work that had to be done again after a stop or a fault; not the work of jobs that
    /// fail in the trace.
    [[nodiscard]] int128 lost_work_hours() const {
        return leaf_hours[static_cast<std::size_t>(Leaf::lost_preempt)] +
               leaf_hours[static_cast<std::size_t>(Leaf::lost_failure)];
    }
    [[nodiscard]] int128 hours_in(LeafGroup group) const {
        int128 hours = 0;
        for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
            if (group_of(static_cast<Leaf>(leaf)) == group)
                hours += leaf_hours[leaf];
        return hours;
    }
};

[[nodiscard]] PrintedBill print_bill(const Result& result);

/// GPU-hours of each part of Result::periods in millionths: those of a cell add up to what is
/// printed for it. bill: of the result.
[[nodiscard]] std::vector<int128> part_hours(const Result& result, const PrintedBill& bill);

/// The same of dollars.
[[nodiscard]] std::vector<int128> part_usd(const Result& result, const PrintedBill& bill);

/// `micro_usd` >= 0 millionths of a dollar in millionths of a currency, rounded half up.
[[nodiscard]] int128 in_currency(int128 micro_usd, const BillCurrency& currency);

/// The totals of a bill in another currency, in millionths. The total and the cost of GPU time are
/// converted; `other` is the difference.
struct CurrencyTotals {
    int128 paid{}, other{}, total{};
};

/// bill: of the result, which has a currency.
[[nodiscard]] CurrencyTotals totals_in_currency(const Result& result, const PrintedBill& bill);

}} // namespace bursar::reports
