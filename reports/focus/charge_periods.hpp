#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/units/units.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// When a row is charged, and the month whose bill it is on. Times are in milliseconds since
/// 1970-01-01T00:00Z, those of the charge in whole seconds.
struct ChargePeriod {
    std::int64_t from_ms{}, to_ms{};
    std::int64_t month_ms{}, month_end_ms{};
    std::size_t month{}; ///< its number: the months of the bill come first, then those after them
    Duration begin{}, end{}; ///< the part of it inside the window; of a charge after it, since its
                             ///< begin
};

/// The charge periods of a result: times since the zero as dates, divided by the months of the
/// bill. A run without dates begins in 1970.
class ChargePeriods {
  public:
    explicit ChargePeriods(const Result& result);

    /// [begin, end), divided where a month ends; at least one.
    [[nodiscard]] std::vector<ChargePeriod> divide(Duration begin, Duration end);
    /// The whole hours that contain the window.
    [[nodiscard]] std::vector<ChargePeriod> window();
    /// `length` > 0 from the begin of the month that follows the months of the bill: where charges
    /// past the end of the run, or of a node, lie.
    [[nodiscard]] std::vector<ChargePeriod> after(Duration length);
    /// Months of the bill.
    [[nodiscard]] std::size_t num_months() const { return num_months_; }

  private:
    [[nodiscard]] std::vector<ChargePeriod> divide_dates(std::int64_t from_ms, std::int64_t to_ms);
    [[nodiscard]] std::size_t month_at(std::int64_t utc_ms);

    std::int64_t zero_ms_;
    Duration window_begin_, window_end_;
    std::vector<std::int64_t> month_ms_; ///< begins of months; longer as later ones are needed
    std::size_t num_months_;
};

}} // namespace bursar::reports
