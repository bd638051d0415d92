#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/outputs/options.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// How much of a bill is shown.
enum class BillExtent : std::uint8_t {
    brief,     ///< the bill and what one reads first: for a comment or a message
    sentences, ///< without tables but the bill: for a terminal
    full       ///< with the costs by pool, purchase, month, tenant and job, waits by tenant, the
               ///< metrics, and the GPU-hours as other tools count them
};

/// The bill of a run. charts: where they stand in a page.
[[nodiscard]] Document bill_document(const Result& result,
                                     const OutputOptions& options,
                                     BillExtent extent,
                                     std::vector<FigureSection> charts = {});

// The tables of a bill: bill_tables.cpp

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

/// `table` without the columns in which every row has an empty text.
[[nodiscard]] ReportTable without_empty_columns(ReportTable table);

/// The main scalars over the seeds; absent where there was one seed.
[[nodiscard]] std::optional<ReportTable> seeds_table(const Result& result);

/// The GPU-hours as other tools sort them, in millionths as the files have them.
[[nodiscard]] std::vector<ReportTable> view_tables(const Result& result);

}} // namespace bursar::reports
