#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/units/units.hpp"

namespace bursar { inline namespace models {

/// Limits of a rate and of an instant, from the zero of the series: 1e6 USD per GPU-hour, and 2^43
/// ms (278 years). Within them no integral of any fleet exceeds 128 bits.
inline constexpr MoneyRate max_series_rate{1'000'000 * nano_usd_per_usd};
inline constexpr Duration max_series_time{std::int64_t{1} << 43};

/// A price that changes in steps. Step i holds from `start_ms[i]` until the next one begins, the
/// last one for ever. Before the first step the price is unknown; the first step's is taken, and
/// readers of a series note that.
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

/// `series` with every instant counted from `zero`: dates become scenario time.
[[nodiscard]] PriceSeries since(Duration zero, PriceSeries series);

}} // namespace bursar::models
