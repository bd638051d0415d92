#include "reports/bill/printed_bill.hpp"

#include <cstddef>
#include <utility>

#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Indices of the result's cells by leaf.
std::array<std::vector<std::size_t>, num_leaves> cells_by_leaf(const Result& result) {
    std::array<std::vector<std::size_t>, num_leaves> out;
    for (std::size_t i = 0; i < result.cells.size(); ++i)
        out[static_cast<std::size_t>(result.cells[i].leaf)].push_back(i);
    return out;
}

} // namespace

PrintedLevels
print_levels(const Result& result, const std::vector<int128>& exact, int128 divisor, int128 total) {
    const auto by_leaf = cells_by_leaf(result);
    std::array<std::vector<int128>, num_leaves> parts;
    std::array<int128, num_leaves> sums{};
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
        for (const std::size_t i : by_leaf[leaf]) {
            parts[leaf].push_back(exact[i]);
            sums[leaf] += exact[i];
        }
    }
    PrintedLevels out;
    out.total = total;
    const std::vector<int128> leaves = largest_remainder(sums, divisor, total);
    std::copy(leaves.begin(), leaves.end(), out.leaves.begin());
    out.cells.resize(result.cells.size());
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
        const std::vector<int128> printed =
            largest_remainder(parts[leaf], divisor, out.leaves[leaf]);
        for (std::size_t k = 0; k < printed.size(); ++k)
            out.cells[by_leaf[leaf][k]] = printed[k];
    }
    return out;
}

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

    std::vector<int128> cost;
    std::vector<int128> held;
    for (const ResultCell& cell : result.cells) {
        cost.push_back(cell.cost.count());
        held.push_back(cell.held.count());
    }
    PrintedLevels usd = print_levels(result, cost, money_per_micro_usd, out.paid_usd);
    PrintedLevels hours = print_levels(result, held, slot_ms_per_micro_gpu_hour, out.paid_hours);
    out.leaf_usd = usd.leaves;
    out.cell_usd = std::move(usd.cells);
    out.leaf_hours = hours.leaves;
    out.cell_hours = std::move(hours.cells);
    return out;
}

namespace {

/// The printed figure of each part of a cell: the parts share what is printed for their cell.
/// exact: of each part; printed: of each cell.
template <class Exact>
std::vector<int128>
share_cells(const Result& result, const std::vector<int128>& printed, const Exact& exact) {
    std::vector<std::vector<std::size_t>> parts_of(result.cells.size());
    for (std::size_t i = 0; i < result.periods.size(); ++i)
        parts_of[result.periods.cell[i]].push_back(i);
    std::vector<int128> out(result.periods.size());
    for (std::size_t cell = 0; cell < parts_of.size(); ++cell) {
        std::vector<int128> weights;
        for (const std::size_t i : parts_of[cell])
            weights.push_back(exact(i).count());
        const std::vector<int128> shares = share(printed[cell], weights);
        for (std::size_t k = 0; k < shares.size(); ++k)
            out[parts_of[cell][k]] = shares[k];
    }
    return out;
}

} // namespace

std::vector<int128> part_hours(const Result& result, const PrintedBill& bill) {
    return share_cells(
        result, bill.cell_hours, [&](std::size_t i) { return result.periods.held(i); });
}

std::vector<int128> part_usd(const Result& result, const PrintedBill& bill) {
    return share_cells(
        result, bill.cell_usd, [&](std::size_t i) { return result.cost_of_period(i); });
}

int128 in_currency(int128 micro_usd, const BillCurrency& currency) {
    return divide_half_up(micro_usd * nano_usd_per_usd, currency.nano_usd);
}

CurrencyTotals totals_in_currency(const Result& result, const PrintedBill& bill) {
    CurrencyTotals totals;
    totals.total = in_currency(bill.total_usd, *result.run.currency);
    totals.paid = in_currency(bill.paid_usd, *result.run.currency);
    totals.other = totals.total - totals.paid;
    return totals;
}

}} // namespace bursar::reports
