#include "sim/record/distribution.hpp"

#include <algorithm>

namespace bursar { inline namespace sim {
namespace {

/// The percentile `q` (0..100) of `values` in hundredths. Elements before `sorted_below` are the
/// smallest ones; it is raised to the percentile's rank, so that rising percentiles look at ever
/// fewer values.
int128 percentile(std::vector<std::int64_t>& values, std::uint64_t q, std::size_t& sorted_below) {
    const std::uint64_t scaled_rank = q * (values.size() - 1);
    const std::size_t rank = scaled_rank / 100;
    const auto weight = static_cast<std::int64_t>(scaled_rank % 100);
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin() + static_cast<std::ptrdiff_t>(sorted_below), at, values.end());
    sorted_below = rank;
    int128 hundredths = int128{*at} * (100 - weight);
    if (weight > 0)
        hundredths += int128{*std::min_element(at + 1, values.end())} * weight;
    return hundredths;
}

} // namespace

Distribution distribution_of(std::vector<std::int64_t>& values) {
    Distribution out;
    out.count = values.size();
    if (values.empty())
        return out;
    out.max = values.front();
    for (const std::int64_t value : values) {
        out.sum += value;
        out.max = std::max(out.max, value);
    }
    std::size_t sorted_below = 0;
    for (const Percentile& wanted : percentiles)
        out.*wanted.hundredths = percentile(values, wanted.percent, sorted_below);
    return out;
}

}} // namespace bursar::sim
