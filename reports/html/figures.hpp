#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/html/figure.hpp"
#include "reports/html/time_bins.hpp"
#include "reports/options.hpp"
#include "reports/result/result.hpp"

/// The charts of the pages, by what they show; each group has a source of its own.
namespace bursar { inline namespace reports {

struct Answer;
struct Comparison;
struct SweepQuestion;
struct SweepTable;

// Of a run: money_figures.cpp

/// Where the dollars went: from paid to productive step by step, and to every leaf. The figures
/// are those of the bill (bill_table), to the cent.
[[nodiscard]] std::vector<Figure> money_figures(const Result& result);

/// What each tenant, pool and way of purchase cost; those of which there are not two are left out.
/// options: `share_idle`, and `top` rows, 12 where it is not given.
[[nodiscard]] std::vector<Figure> cost_figures(const Result& result, const OutputOptions& options);

/// The bill as a table: groups with their leaves, what is paid, other costs and the total.
[[nodiscard]] HtmlTable bill_html_table(const Result& result);

/// The class of a leaf group's colour, by the title that bills give it; "other" of anything else.
[[nodiscard]] std::string colour_of_group(const std::string& title);

// time_figures.cpp

/// What GPUs did over time, how busy each pool was, and what an hour and a GPU-hour cost. Empty
/// without a timeline.
[[nodiscard]] std::vector<Figure> fleet_figures(const Result& result, const TimeBins& time);

/// How long the queue was over time, and how old where it was.
[[nodiscard]] std::vector<Figure> queue_figures(const Result& result, const TimeBins& time);

// leaf_figures.cpp

/// Where GPU time went over time, by leaf group. Absent where cells are not divided by time.
[[nodiscard]] std::optional<Figure> leaves_over_time(const Result& result);

// node_figures.cpp

/// Which nodes jobs held, and when: job by job where there are few of both, else as shares of nodes
/// or of groups of them over bins of time. Absent where no nodes of attempts are known.
[[nodiscard]] std::optional<Figure> nodes_over_time(const Result& result, const TimeBins& time);

/// Why nodes_over_time has nothing to draw, as a sentence; empty where it has, or where no job ever
/// ran.
[[nodiscard]] std::string why_no_nodes(const Result& result);

// wait_charts.cpp and waiting_figures.cpp

/// How waits, JCTs and slowdowns of the measured jobs that finished are spread, by tenant and by
/// size of gang: counts are exact at each point of a curve, and percentiles are those of metrics.
[[nodiscard]] std::vector<Figure> wait_charts(const Result& result);

/// Where jobs waited by size of gang, and why.
[[nodiscard]] std::vector<Figure> waiting_figures(const Result& result);

/// Sizes of gangs that are shown together: "1 GPU", "2 to 4 GPUs".
inline constexpr std::size_t num_gang_classes = 6;
[[nodiscard]] std::size_t gang_class(std::int64_t gpus);
[[nodiscard]] std::string_view gang_class_title(std::size_t gang_class);

// job_figures.cpp

/// The jobs that cost most, and when they waited and ran.
[[nodiscard]] std::vector<Figure> job_figures(const Result& result);

// Of a comparison: job_change_figures.cpp

/// Of each variant for which it is kept, every job's JCT against that in the base.
[[nodiscard]] std::vector<Figure> job_change_figures(const Comparison& comparison);

// Of a sweep: sweep_figures.cpp

/// The charts of a sweep. paid: its table, paid to the common end. answer: to the question.
[[nodiscard]] std::vector<Figure>
sweep_figures(const SweepTable& paid, const SweepQuestion& question, const Answer& answer);

}} // namespace bursar::reports
