#pragma once

#include <cstdint>
#include <optional>

#include "models/market/price_integral.hpp"
#include "models/market/price_series.hpp"
#include "models/units/units.hpp"

namespace bursar { inline namespace reports {

/// The lowest and the highest price over some time.
struct PriceRange {
    MoneyRate min, max;

    bool operator==(const PriceRange&) const = default;
};

/// Price of a GPU of a pool over time: constant, or in steps.
class PoolPrice {
  public:
    PoolPrice() = default; ///< free
    explicit PoolPrice(MoneyRate rate) : rate_{rate} {}
    /// Precondition: can_be(series).
    explicit PoolPrice(PriceSeries series);

    /// Whether a series is one that results may have: valid, from 0 on, with at least two steps,
    /// and neighbouring prices differ.
    [[nodiscard]] static bool can_be(const PriceSeries& series);
    /// The price in [0, end) from a valid series; constant where it does not change there.
    [[nodiscard]] static PoolPrice until(Duration end, const PriceSeries& series);

    [[nodiscard]] bool varies() const { return !series_.start_ms.empty(); }
    [[nodiscard]] bool is_free() const { return !varies() && rate_ == MoneyRate{}; }
    /// Absent where it varies.
    [[nodiscard]] std::optional<MoneyRate> rate() const {
        return varies() ? std::nullopt : std::optional{rate_};
    }
    /// Empty where it is constant.
    [[nodiscard]] const PriceSeries& series() const { return series_; }

    [[nodiscard]] MoneyRate at(Duration time) const {
        return varies() ? integrals_.of(0).rate_at(time) : rate_;
    }
    /// Over [begin, end); at `begin` where that is empty.
    [[nodiscard]] PriceRange range(Duration begin, Duration end) const;
    /// Exact cost of holding `slots` slots over [begin, end). begin <= end.
    [[nodiscard]] Money cost(std::int64_t slots, Duration begin, Duration end) const {
        return varies() ? integrals_.of(0).between(begin, end) * slots
                        : rate_ * slot_time(slots, end - begin);
    }

    friend bool operator==(const PoolPrice& a, const PoolPrice& b) {
        return a.rate_ == b.rate_ && a.series_ == b.series_;
    }

  private:
    MoneyRate rate_{}; ///< 0 where it varies
    PriceSeries series_;
    PriceIntegrals integrals_; ///< of series_
};

}} // namespace bursar::reports
