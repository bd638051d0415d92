#pragma once

#include <span>
#include <vector>

#include "models/units/int128.hpp"

namespace bursar { inline namespace reports {

/// Rounding that adds up. `parts` are exact numerators >= 0 over one denominator `divisor` > 0 (the
/// exact size of one printed unit); `total` is their printed sum, which must be the exact sum
/// rounded either way (|total - sum / divisor| < 1). Each part is rounded down, and the units still
/// missing go to the largest remainders, ties to the earlier part (Hamilton's method). So every
/// part is off by less than one unit, a part of zero stays zero, and the parts add up to `total`.
/// Throws BadResult where `total` is not such a sum.
[[nodiscard]] std::vector<int128>
largest_remainder(std::span<const int128> parts, int128 divisor, int128 total);

/// Thousandths of `whole` in each part, which add up to `sum`; all zero where `whole` is.
[[nodiscard]] std::vector<int128>
permille_of(std::span<const int128> parts, int128 whole, int128 sum);

/// Divides `total` >= 0 whole units in proportion to `weights` >= 0 by largest remainder. All
/// weights zero: all parts zero, and nothing was shared. Weights whose sum passes 2^64 are scaled
/// down by a power of two first.
[[nodiscard]] std::vector<int128> share(int128 total, std::span<const int128> weights);

/// Moves units between the entries >= 0 of each row, as few as need be, until the columns add up to
/// `columns` >= 0. The sum of `columns` must be that of all entries.
void settle_columns(std::vector<std::vector<int128>>& rows, std::vector<int128> columns);

}} // namespace bursar::reports
