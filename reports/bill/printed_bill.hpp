#pragma once

#include <array>
#include <vector>

#include "models/units/units.hpp"

#include "reports/bill/leaf_sums.hpp"
#include "reports/result/result.hpp"
#include "reports/rounding/printed_units.hpp"

namespace bursar { inline namespace reports {

/// The figures of JSON and CSV: USD and GPU-hours in whole millionths that add up exactly.
///
/// The total is rounded half up once from its exact numerator. Then each level is apportioned to
/// the level above by largest remainder: total -> paid and other costs -> leaves -> cells (pool,
/// tenant, leaf). Whatever else JSON or CSV prints (by pool, by tenant) is a sum of these cells, so
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
    /// Work that had to be done again after a stop or a fault; not that of jobs whose trace lets
    /// them come to nothing.
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

}} // namespace bursar::reports
