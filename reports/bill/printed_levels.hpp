#pragma once

#include <array>
#include <vector>

#include "models/units/int128.hpp"

#include "sim/ledger/leaf.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What a result has of something, in the units in which files print it: in all, by leaf and by
/// cell. Leaves add up to the total, cells to their leaf.
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

}} // namespace bursar::reports
