#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "models/units/int128.hpp"

namespace bursar { inline namespace sim {

/// Exact statistics of whole numbers of one unit. If `count` is 0, the other members mean nothing.
/// The mean is sum / count.
///
/// Percentiles interpolate linearly between order statistics (numpy's default): with n sorted
/// values x and h = q (n-1) / 100, x[floor h] + (h - floor h) (x[floor h + 1] - x[floor h]). The
/// weight is a whole number of hundredths, so they are exact in hundredths of the unit.
struct Distribution {
    std::uint64_t count{};
    int128 sum{};
    std::optional<int128> p50_hundredths{};
    std::optional<int128> p90_hundredths{};
    std::optional<int128> p99_hundredths{};
    std::int64_t max{};

    bool operator==(const Distribution&) const = default;
};

/// One percentile of a distribution.
struct Percentile {
    std::uint64_t percent;
    std::string_view name; ///< the same in every report
    std::optional<int128> Distribution::*hundredths;
};

/// Every percentile, ascending: what is computed, saved and reported follows from this list.
inline constexpr std::array percentiles{Percentile{50, "p50", &Distribution::p50_hundredths},
                                        Percentile{90, "p90", &Distribution::p90_hundredths},
                                        Percentile{99, "p99", &Distribution::p99_hundredths}};

/// Statistics of `values`, which are reordered.
[[nodiscard]] Distribution distribution_of(std::vector<std::int64_t>& values);

}} // namespace bursar::sim
