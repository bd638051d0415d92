#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/charts/chart_data.hpp"
#include "reports/document/document.hpp"
#include "reports/html/time_bins.hpp"
#include "reports/outputs/options.hpp"
#include "reports/result/result.hpp"

/// The charts of the pages by subject; each group has its own source.
namespace bursar { inline namespace reports {

struct Comparison;
struct SweepQuestion;
struct SweepTable;

/// `figure` with `chart` drawn, which gets the title of the figure.
template <class Chart>
[[nodiscard]] Figure drawn(Figure figure, Chart chart) {
    chart.title = figure.title;
    figure.svg = chart_svg(chart);
    figure.data = chart_data(chart);
    return figure;
}

// Of a run: money_figures.cpp

/// Where the dollars went: from paid to productive step by step, and to every leaf. The figures
/// are those of the bill (bill_table), to the cent.
[[nodiscard]] std::vector<Figure> money_figures(const Result& result);

/// Cost by tenant, pool and purchase type; a chart with only one bar is left out.
/// options: `share_idle`, and `top` rows, 12 where it is not given.
[[nodiscard]] std::vector<Figure> cost_figures(const Result& result, const OutputOptions& options);

/// The class of a leaf group's colour, by the title that bills give it; "other" of anything else.
[[nodiscard]] std::string colour_of_group(const std::string& title);

// time_figures.cpp

/// Over time: state of GPUs, share of busy GPUs by pool, cost per hour and per GPU-hour, available
/// GPUs, attempts that reclaims and faults stopped, power. Empty without a timeline.
[[nodiscard]] std::vector<Figure> fleet_figures(const Result& result, const TimeBins& time);

/// Length of the queue and age of its oldest job, over time.
[[nodiscard]] std::vector<Figure> queue_figures(const Result& result, const TimeBins& time);

// leaf_figures.cpp

/// GPU time by leaf group, over time. Absent where cells are not divided by time.
[[nodiscard]] std::optional<Figure> leaves_over_time(const Result& result);

// node_figures.cpp

/// Use of nodes over time: by job where there are few nodes and jobs, else as shares of nodes, or
/// of groups of nodes, in bins of time. Absent where the nodes of attempts are not known.
[[nodiscard]] std::optional<Figure> nodes_over_time(const Result& result, const TimeBins& time);

/// Why nodes_over_time is absent, as a sentence; empty where it is not, and where no job ran.
[[nodiscard]] std::string why_no_nodes(const Result& result);

// wait_charts.cpp and waiting_figures.cpp

/// Distributions of waits, JCTs and slowdowns of the finished measured jobs, by tenant and by gang
/// size. Counts are exact at each point of a curve, and percentiles are computed as in metrics.
[[nodiscard]] std::vector<Figure> wait_charts(const Result& result);

/// Waits by gang size, and their reasons.
[[nodiscard]] std::vector<Figure> waiting_figures(const Result& result);

/// Classes of gang size: "1 GPU", "2 to 4 GPUs".
inline constexpr std::size_t num_gang_classes = 6;
[[nodiscard]] std::size_t gang_class(std::int64_t gpus);
[[nodiscard]] std::string_view gang_class_title(std::size_t gang_class);

// job_figures.cpp

/// The most expensive jobs, with their waits and attempts.
[[nodiscard]] std::vector<Figure> job_figures(const Result& result);

// Of a comparison: job_change_figures.cpp

/// Waits by tenant, and the JCT of every job against its JCT in the base, for each variant that
/// keeps them.
[[nodiscard]] std::vector<Figure> job_change_figures(const Comparison& comparison);

// Of a sweep: sweep_figures.cpp

/// The charts of a sweep. table: with the costs to common ends. answer: to the question.
[[nodiscard]] std::vector<Figure>
sweep_figures(const SweepTable& table, const SweepQuestion& question, const Document& answer);

}} // namespace bursar::reports
