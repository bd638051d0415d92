#include "reports/bill/printed_parts.hpp"

#include <cstddef>

#include "reports/rounding/largest_remainder.hpp"

namespace bursar { inline namespace reports {
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

}} // namespace bursar::reports
