#include "reports/bill/printed_levels.hpp"

#include "reports/rounding/largest_remainder.hpp"

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

}} // namespace bursar::reports
