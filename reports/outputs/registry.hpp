#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "reports/outputs/options.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

struct Result;

/// Writes one rendering of a result.
using OutputWriter = void(const Result& result, const OutputOptions& options, TextSink& sink);

/// One way to render a result.
struct Output {
    std::string_view name; ///< as `--format` takes it
    std::string_view file; ///< its name in an output directory
    std::string_view summary;
    OutputWriter* write;
    bool is_extra{}; ///< only written where it is asked for by name
};

/// Every output, in the order in which they are listed and written.
[[nodiscard]] std::span<const Output> outputs();

/// The outputs that are written by default.
[[nodiscard]] std::vector<const Output*> usual_outputs();

/// The output of that name, or nullptr.
[[nodiscard]] const Output* find_output(std::string_view name);

// The writers, each in the folder named behind it.

/// The bill for a terminal of `options.width` columns: costs by group, the total, ratios, waits and
/// JCTs, warnings and assumptions.
OutputWriter write_terminal_table; // summary/
/// The bill as GitHub-flavoured Markdown, with costs by pool, purchase, month, tenant and job,
/// waits by tenant, the metrics, and the GPU-hours as Slurm and Google count them.
OutputWriter write_markdown; // summary/
/// Every scalar of a result; OUTPUTS.md describes the keys.
OutputWriter write_summary_json; // summary/
/// The Markdown bill as one page of HTML with a chart for each question about the run. It shows the
/// same in every browser, with scripts off and on paper, and loads nothing.
OutputWriter write_run_report; // html/
/// The bill as a workbook: by leaf, pool and tenant with sums that the spreadsheet computes, the
/// cells behind them, months, every scalar, and what was run.
OutputWriter write_bill_xlsx; // xlsx/
/// The whole result, exactly. 128-bit numbers are strings; jobs and timeline are one array of
/// integers per column. With options.reproducible without times and memory of the execution, which
/// are 0 when it is read again.
OutputWriter write_saved_result; // result/

// CSV, each in the source of its name in csv/: RFC 4180 quoting, a header line, "." decimals, lines
// ended by LF; a column that does not apply to a row is empty.
OutputWriter write_gpu_hours_csv;
OutputWriter write_jobs_csv;
OutputWriter write_attempts_csv;
OutputWriter write_classes_csv;
OutputWriter write_timeline_csv;
OutputWriter write_periods_csv;
OutputWriter write_tenants_csv;

// Formats of other tools.
OutputWriter write_focus_csv;  // focus/
OutputWriter write_perfetto;   // perfetto/
OutputWriter write_prometheus; // feeds/: every scalar in Prometheus' text format 0.0.4
/// The same for several runs in one file. Throws BadResult if two have the same labels.
void write_prometheus_of(std::span<const Result* const> runs, TextSink& sink);
OutputWriter write_sreport;  // feeds/: GPU-hours by pool as `sreport cluster utilization -P` does
OutputWriter write_opencost; // feeds/: cost by tenant as OpenCost's allocations
OutputWriter write_goodput;  // feeds/: held time as Google's goodput measurement sorts it

}} // namespace bursar::reports
