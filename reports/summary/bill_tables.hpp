#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/outputs/options.hpp"
#include "reports/result/result.hpp"

/// The tables of a bill: costs, fleet, metrics, and GPU-hours as other tools count them.
namespace bursar { inline namespace reports {

/// What they have in common, as a sentence.
inline constexpr std::string_view how_it_adds_up =
    "In each table GPU-hours times their mean rate are the dollars, to a cent or two, and rows add "
    "up to what is paid.";

/// What pools, kinds of purchase, months and tenants cost: GPU-hours x rate = dollars. Without
/// months where none is known.
[[nodiscard]] std::vector<ReportTable> priced_tables(const Result& result,
                                                     const OutputOptions& options);

/// Why there is no table by month, as a sentence; empty where there is one, and where the run has
/// no dates.
[[nodiscard]] std::string why_no_months(const Result& result);

/// How long the measured jobs that finished waited, by tenant; absent for one tenant.
[[nodiscard]] std::optional<ReportTable> waits_by_tenant(const Result& result,
                                                         const OutputOptions& options);

/// The jobs that cost most, and what all others and idle capacity cost; absent where no job held
/// anything.
[[nodiscard]] std::optional<ReportTable> costliest_jobs_table(const Result& result,
                                                              const OutputOptions& options);

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
