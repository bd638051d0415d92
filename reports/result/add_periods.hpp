#pragma once

#include <cstdint>
#include <optional>

#include "sim/ledger/bucket_ledger.hpp"
#include "sim/record/outcome.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Hours, the first of them that of the midnight before the zero: days are made of whole ones.
[[nodiscard]] BucketWidth hours_from(const std::optional<std::int64_t>& zero_utc_ms);

/// Divides the cells of a result by time, as the ledger of its run was. outcome: that of the run.
/// Throws ReportError where the parts do not add up to the cells.
void add_periods(const DividedLedger& divided, const Outcome& outcome, Result& result);

}} // namespace bursar::reports
