#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace bursar { inline namespace models {

/// Rounding that adds up (Hamilton's method), its last step: `parts` were rounded down and are
/// `missing` units short of their sum; adds one to those with the largest remainders, ties to the
/// earlier. remainders: one per part. missing: 0..the number of parts.
template <class Part, class Remainder>
void add_by_largest_remainder(std::size_t missing,
                              std::span<const Remainder> remainders,
                              std::span<Part> parts) {
    assert(missing <= parts.size() && remainders.size() == parts.size());
    if (missing == 0)
        return;
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto last = order.begin() + static_cast<std::ptrdiff_t>(missing);
    std::nth_element(order.begin(), last - 1, order.end(), [&](std::size_t a, std::size_t b) {
        return remainders[a] != remainders[b] ? remainders[a] > remainders[b] : a < b;
    });
    for (auto part = order.begin(); part != last; ++part)
        ++parts[*part];
}

}} // namespace bursar::models
