#pragma once

#include <cstdint>
#include <optional>

#include "sim/ledger/bucket_ledger.hpp"
#include "sim/record/outcome.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Hours that begin at the midnight before the zero, so that days are whole hours.
[[nodiscard]] BucketWidth hours_from(const std::optional<std::int64_t>& zero_utc_ms);

/// Divides the cells of a result by time, as its ledger was divided. outcome: of the same run.
/// Throws ReportError where the parts do not add up to the cells.
void add_periods(const DividedLedger& divided, const Outcome& outcome, Result& result);

}} // namespace bursar::reports
