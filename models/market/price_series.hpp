#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/units/units.hpp"

namespace bursar { inline namespace models {

/// The largest rate of a series, and how far from its zero its instants may lie: 1e6 USD per
/// GPU-hour, and 2^43 ms or 278 years. Inside them no integral leaves 128 bits, whatever the fleet.
inline constexpr MoneyRate max_series_rate{1'000'000 * nano_usd_per_usd};
inline constexpr Duration max_series_time{std::int64_t{1} << 43};

/// A price that changes in steps. Step i holds from `start_ms[i]` until the next one begins, the
/// last one for ever. Before the first step the price is the first step's: nobody knows another,
/// and who reads a series says so.
struct PriceSeries {
    /// Strictly ascending; since the scenario's zero or since 1970-01-01T00:00Z, as its reader
    /// says.
    std::vector<std::int64_t> start_ms;
    /// Of every step, in nano-USD per GPU-hour, 0 .. max_series_rate.
    std::vector<std::int64_t> rate;

    [[nodiscard]] std::size_t size() const { return start_ms.size(); }
    /// Whether it has a step, as many rates as starts, and both as described above.
    [[nodiscard]] bool is_valid() const;

    friend bool operator==(const PriceSeries&, const PriceSeries&) = default;
};

/// `series` with every instant counted from `zero`: what was dated becomes scenario time.
[[nodiscard]] PriceSeries since(Duration zero, PriceSeries series);

}} // namespace bursar::models
