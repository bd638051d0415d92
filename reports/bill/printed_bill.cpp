#include "reports/bill/printed_bill.hpp"

#include <algorithm>

#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/decimal.hpp"

namespace bursar::inline reports {
namespace {

/// Indices of the result's cells by leaf.
std::array<std::vector<std::size_t>, num_leaves> cells_by_leaf(const Result& result) {
    std::array<std::vector<std::size_t>, num_leaves> out;
    for (std::size_t i = 0; i < result.cells.size(); ++i)
        out[static_cast<std::size_t>(result.cells[i].leaf)].push_back(i);
    return out;
}

/// Apportions `total` to the leaves and each leaf's share to its cells; `exact(i)` is the exact
/// numerator of cell i.
template <class Exact>
void print_levels(const Result& result,
                  int128 divisor,
                  int128 total,
                  Exact exact,
                  std::array<int128, num_leaves>& leaves,
                  std::vector<int128>& cells) {
    const auto by_leaf = cells_by_leaf(result);
    std::array<std::vector<int128>, num_leaves> parts;
    std::array<int128, num_leaves> sums{};
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
        for (const std::size_t i : by_leaf[leaf]) {
            parts[leaf].push_back(exact(i));
            sums[leaf] += parts[leaf].back();
        }
    }
    const std::vector<int128> printed_leaves = largest_remainder(sums, divisor, total);
    std::copy(printed_leaves.begin(), printed_leaves.end(), leaves.begin());
    cells.resize(result.cells.size());
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
        const std::vector<int128> printed = largest_remainder(parts[leaf], divisor, leaves[leaf]);
        for (std::size_t k = 0; k < printed.size(); ++k)
            cells[by_leaf[leaf][k]] = printed[k];
    }
}

} // namespace

PrintedBill print_bill(const Result& result) {
    const LeafSums sums = leaf_sums(result);
    PrintedBill out;

    std::vector<int128> charges{sums.paid_cost().count()};
    for (const OtherCost& other : result.run.other_costs)
        charges.push_back(other.cost.count());
    const Money total = sums.paid_cost() + other_cost(result);
    out.total_usd = divide_half_up(total.count(), money_per_micro_usd);
    out.other_usd = largest_remainder(charges, money_per_micro_usd, out.total_usd);
    out.paid_usd = out.other_usd.front();
    out.other_usd.erase(out.other_usd.begin());
    out.paid_hours = divide_half_up(sums.paid().count(), slot_ms_per_micro_gpu_hour);

    const auto cost = [&](std::size_t i) { return result.cells[i].cost.count(); };
    const auto held = [&](std::size_t i) { return result.cells[i].held.count(); };
    print_levels(result, money_per_micro_usd, out.paid_usd, cost, out.leaf_usd, out.cell_usd);
    print_levels(
        result, slot_ms_per_micro_gpu_hour, out.paid_hours, held, out.leaf_hours, out.cell_hours);
    return out;
}

} // namespace bursar::inline reports
