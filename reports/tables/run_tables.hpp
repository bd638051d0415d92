#pragma once

#include <optional>
#include <vector>

#include "reports/result/result.hpp"
#include "reports/tables/report_table.hpp"

/// The tables of what was run, what users felt, and how others count.
namespace bursar { inline namespace reports {

/// A row for each pool: what it is, what it was paid for and at which price. Without the columns in
/// which no pool has anything.
[[nodiscard]] ReportTable fleet_table(const Result& result);

/// A row for each distribution over jobs of which there are any.
[[nodiscard]] ReportTable metrics_table(const Result& result);

/// The main scalars over the seeds; absent where there was one seed.
[[nodiscard]] std::optional<ReportTable> seeds_table(const Result& result);

/// The GPU-hours as other tools sort them, in millionths as the files have them.
[[nodiscard]] std::vector<ReportTable> view_tables(const Result& result);

}} // namespace bursar::reports
