#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/charts/bar_chart.hpp"
#include "reports/charts/point_chart.hpp"
#include "reports/charts/row_chart.hpp"
#include "reports/document/document.hpp"
#include "reports/goal/goal.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/metric_scale.hpp"
#include "reports/scalars/scalar_text.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_points.hpp"
#include "reports/sweep/sweep_statistics.hpp"
#include "reports/sweep/sweep_table.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t most_scatter_points = 4000;
constexpr std::size_t most_scatter_rows = 40; ///< of its table
constexpr std::size_t most_parallel_lines = 400;
constexpr std::size_t few_lines = 60;        ///< of parallel coordinates: more are drawn fainter
constexpr std::size_t most_axis_values = 24; ///< of a heat map

/// The scenarios of a sweep that have a value of each metric, and which no other beats.
class SweepCharts {
  public:
    SweepCharts(const SweepTable& table, const SweepQuestion& question, const Document& answer)
        : table_{table}, question_{question}, answer_{answer}, metrics_{metrics_of(question)},
          points_{points_of(table, metrics_)} {
        std::erase_if(points_, [&](const SweepPoint& point) {
            return point.metrics.empty() ||
                   !std::ranges::all_of(std::span{point.metrics}.first(question.metrics.size()),
                                        [](const OverSeeds& one) { return one.stats.n > 0; });
        });
        if (question.metrics.size() < 2)
            return;
        std::vector<TwoFigures> figures;
        for (const SweepPoint& point : points_)
            figures.push_back({as_cost(point, 0), as_cost(point, 1)});
        front_ = pareto_front(figures);
    }

    std::vector<Figure> figures() {
        std::vector<Figure> figures;
        if (points_.size() < 2)
            return figures;
        if (question_.metrics.size() > 1)
            figures.push_back(scatter());
        if (metrics_.size() > question_.metrics.size())
            figures.push_back(against_goal());
        figures.push_back(parallel());
        if (auto figure = sensitivity())
            figures.push_back(std::move(*figure));
        if (auto figure = map())
            figures.push_back(std::move(*figure));
        return figures;
    }

  private:
    /// Those of the question, and behind them that of its goal where the front does not show it.
    static std::vector<const ScalarRow*> metrics_of(const SweepQuestion& question) {
        std::vector<const ScalarRow*> metrics = question.metrics;
        const auto shown = std::span{metrics}.first(std::min<std::size_t>(metrics.size(), 2));
        if (question.goal &&
            (metrics.size() < 2 || std::ranges::find(shown, question.goal->metric) == shown.end()))
            metrics.push_back(question.goal->metric);
        return metrics;
    }
    /// A line at the goal, where it is of this metric, in the unit of its axis.
    [[nodiscard]] std::optional<ChartGuide> guide(std::size_t metric) const {
        if (!question_.goal || question_.goal->metric != metrics_[metric] || !shows_goal(metric))
            return std::nullopt;
        return ChartGuide{question_.goal->limit / scale(metric).divisor,
                          "goal: " + question_.goal->text};
    }
    /// Whether the goal is near enough to the values of its metric.
    [[nodiscard]] bool shows_goal(std::size_t metric) const {
        const auto [least, most] = range(metric);
        return is_near(question_.goal->limit, std::max(std::abs(least), std::abs(most)));
    }

    [[nodiscard]] double mean(const SweepPoint& point, std::size_t metric) const {
        return point.metrics[metric].stats.mean;
    }
    [[nodiscard]] double as_cost(const SweepPoint& point, std::size_t metric) const {
        const bool is_higher = metrics_[metric]->better == Better::higher;
        return is_higher ? -mean(point, metric) : mean(point, metric);
    }
    [[nodiscard]] std::string metric_title(std::size_t metric) const {
        return metric_name(*metrics_[metric]);
    }
    [[nodiscard]] std::string text(const SweepPoint& point, std::size_t metric) const {
        return scalar_text(mean(point, metric), metrics_[metric]->kind);
    }
    [[nodiscard]] std::string path_title(std::size_t path) const {
        // The first table has them behind the scenario's number, as short as they can be told
        // apart.
        return answer_.all<ReportTable>().front()->columns[1 + path].label;
    }
    [[nodiscard]] std::string named(const SweepPoint& point) const {
        std::string out;
        for (std::size_t i = 0; i < point.values.size(); ++i)
            out += fmt::format("{}{} {}", i == 0 ? "" : ", ", path_title(i), point.values[i]);
        return out;
    }
    /// The values alone, for a mark in a chart.
    [[nodiscard]] static std::string mark_of(const SweepPoint& point) {
        return fmt::format("{}", fmt::join(point.values, ", "));
    }
    /// What the marks say.
    void add_mark_note(Figure& figure) const {
        std::vector<std::string> titles;
        for (std::size_t path = 0; path < table_.paths.size(); ++path)
            titles.push_back(path_title(path));
        if (!titles.empty())
            figure.notes.push_back(fmt::format("Beside points: {}.", fmt::join(titles, ", ")));
    }
    [[nodiscard]] MetricScale scale(std::size_t metric) const {
        double most = 0;
        for (const SweepPoint& point : points_)
            most = std::max(most, std::abs(mean(point, metric)));
        return metric_scale(metrics_[metric]->kind, most);
    }
    [[nodiscard]] std::pair<double, double> range(std::size_t metric) const {
        const auto [least, most] = std::ranges::minmax(
            points_, {}, [&](const SweepPoint& point) { return mean(point, metric); });
        return {mean(least, metric), mean(most, metric)};
    }
    [[nodiscard]] bool shows_own_unit(std::size_t metric) const {
        const ScalarKind kind = metrics_[metric]->kind;
        return kind == ScalarKind::seconds || kind == ScalarKind::ratio;
    }
    /// For a mark or a legend: "187.4 k" in the unit of its axis, or a time with its own.
    [[nodiscard]] std::string short_text(double value, std::size_t metric) const {
        if (shows_own_unit(metric))
            return scalar_text(value, metrics_[metric]->kind);
        return tick_label(value, std::max(std::abs(value) / 1000, 1e-3));
    }
    [[nodiscard]] std::string unit_title(std::size_t metric) const {
        return shows_own_unit(metric) ? metric_title(metric)
                                      : scale(metric).titled(metric_title(metric));
    }
    [[nodiscard]] bool is_on_front(std::size_t point) const {
        return std::ranges::find(front_, point) != front_.end();
    }
    [[nodiscard]] ReportTable front_table() const {
        for (const ReportTable* table : answer_.all<ReportTable>())
            if (table->key == "front")
                return *table;
        return {};
    }

    [[nodiscard]] Axis axis(std::size_t metric) const {
        const MetricScale shown = scale(metric);
        auto [least, most] = range(metric);
        if (guide(metric)) {
            least = std::min(least, question_.goal->limit);
            most = std::max(most, question_.goal->limit);
        }
        return close_axis(
            shown.titled(metric_title(metric)), least / shown.divisor, most / shown.divisor, 5);
    }

    [[nodiscard]] std::string front_sentence() const {
        const std::string count =
            front_.size() == 1 ? "1 is" : fmt::format("{} are", front_.size());
        std::string out =
            fmt::format("Of {} scenarios, {} beaten by no other in both", points_.size(), count);
        return front_.size() == 1 ? fmt::format("{}: {}.", out, named(points_[front_.front()]))
                                  : out + ".";
    }

    Figure scatter() {
        Figure figure{{"front",
                       fmt::format("Which scenarios are best in {} and {}?",
                                   metric_title(0),
                                   metric_title(1)),
                       front_sentence()},
                      front_table()};
        ScatterChart chart{figure.title,
                           axis(0),
                           axis(1),
                           {{"beaten by none", "better"}, {"the others", "unclear"}},
                           {},
                           {}};
        const double across = scale(0).divisor;
        const double up = scale(1).divisor;
        const auto add = [&](std::size_t i, std::string_view colour, bool is_named) {
            const SweepPoint& point = points_[i];
            chart.points.push_back({mean(point, 0) / across,
                                    mean(point, 1) / up,
                                    mark_of(point),
                                    std::string{colour},
                                    is_named});
        };
        for (std::size_t i = 0; i < std::min(points_.size(), most_scatter_points); ++i)
            if (!is_on_front(i))
                add(i, "unclear", false);
        for (const std::size_t i : front_) {
            chart.front.push_back(chart.points.size());
            add(i, "better", true);
        }
        std::ranges::sort(chart.front, {}, [&](std::size_t i) { return chart.points[i].x; });
        chart.x_guide = guide(0);
        chart.y_guide = guide(1);
        add_mark_note(figure);
        if (points_.size() > most_scatter_points)
            figure.notes.push_back(fmt::format(
                "The front is of all; of the others the first {} are shown.", most_scatter_points));
        return drawn(std::move(figure), std::move(chart));
    }

    /// The first metric against that of the goal.
    Figure against_goal() {
        const std::size_t metric = metrics_.size() - 1;
        Figure figure{
            {"goal",
             fmt::format("How far is each scenario from the goal, {}?", question_.goal->text),
             "Means over the seeds; the dashed line is the goal."},
            {{{"scenario", Align::left}, {metric_title(0)}, {metric_title(metric)}}, {}}};
        ScatterChart chart{figure.title, axis(0), axis(metric), {{"scenarios", "s0"}}, {}, {}};
        for (const SweepPoint& point : points_) {
            if (point.metrics[metric].stats.n == 0 || chart.points.size() == most_scatter_points)
                continue;
            chart.points.push_back({mean(point, 0) / scale(0).divisor,
                                    mean(point, metric) / scale(metric).divisor,
                                    mark_of(point),
                                    "s0",
                                    chart.points.size() < most_named_points});
            if (figure.table.rows.size() < most_scatter_rows)
                figure.table.rows.push_back(
                    {{named(point), text(point, 0), text(point, metric)}, RowKind::plain});
        }
        chart.y_guide = guide(metric);
        add_mark_note(figure);
        if (!chart.y_guide)
            figure.title.answer = "Means over the seeds; the goal is beyond the chart.";
        return drawn(std::move(figure), std::move(chart));
    }

    /// The values of a path, in the order in which the sweep has them.
    [[nodiscard]] std::vector<std::string> grid_values(std::size_t path) const {
        std::vector<std::string> values;
        for (const SweepPoint& point : points_)
            if (!table_.refined.is_added(point.scenario))
                add_new(point.values[path], values);
        return values;
    }
    /// Those that refining added among them, by size.
    [[nodiscard]] std::vector<std::string> values_of(std::size_t path) const {
        std::vector<std::string> values;
        for (const SweepPoint& point : points_)
            add_new(point.values[path], values);
        const std::vector<std::string_view> texts{values.begin(), values.end()};
        const std::vector<double> sizes = axis_sizes(texts);
        if (!table_.refined.any() || sizes.empty())
            return values;
        std::vector<std::pair<double, std::string>> sorted;
        for (std::size_t i = 0; i < values.size(); ++i)
            sorted.emplace_back(sizes[i], values[i]);
        std::ranges::stable_sort(sorted, {}, &std::pair<double, std::string>::first);
        std::ranges::transform(sorted, values.begin(), [](const auto& one) { return one.second; });
        return values;
    }
    static void add_new(const std::string& value, std::vector<std::string>& values) {
        if (std::ranges::find(values, value) == values.end())
            values.push_back(value);
    }

    static double place(std::size_t i, std::size_t count) {
        return count < 2 ? 0.5 : static_cast<double>(i) / static_cast<double>(count - 1);
    }

    Figure parallel() {
        Figure figure{{"parallel",
                       "What are the best scenarios made of?",
                       front_.empty() ? std::string{"One line is one scenario."}
                                      : "One line is one scenario; those that no other beats in "
                                        "both of the first two metrics stand out."},
                      front_table()};
        ParallelChart chart{figure.title,
                            {{"beaten by none", "better", true}, {"the others", "unclear", true}},
                            {},
                            {}};
        std::vector<std::vector<std::string>> values;
        for (std::size_t path = 0; path < table_.paths.size(); ++path) {
            values.push_back(values_of(path));
            ParallelAxis& one = chart.axes.emplace_back(ParallelAxis{path_title(path), {}});
            for (std::size_t i = 0; i < values.back().size(); ++i)
                one.ticks.push_back({place(i, values.back().size()), values.back()[i]});
        }
        for (std::size_t metric = 0; metric < question_.metrics.size(); ++metric) {
            const auto [least, most] = range(metric);
            chart.axes.push_back({unit_title(metric),
                                  {{0, short_text(least, metric)}, {1, short_text(most, metric)}}});
        }
        add_lines(values, chart);
        if (points_.size() > chart.lines.size())
            figure.notes.push_back(fmt::format(
                "{} of {} scenarios, the front among them.", chart.lines.size(), points_.size()));
        return drawn(std::move(figure), std::move(chart));
    }

    void add_lines(const std::vector<std::vector<std::string>>& values,
                   ParallelChart& chart) const {
        const auto add = [&](std::size_t i, std::string_view colour) {
            const SweepPoint& point = points_[i];
            ParallelLine line{named(point), std::string{colour}, {}};
            for (std::size_t path = 0; path < values.size(); ++path) {
                const auto at = std::ranges::find(values[path], point.values[path]);
                line.at.push_back(place(static_cast<std::size_t>(at - values[path].begin()),
                                        values[path].size()));
            }
            for (std::size_t metric = 0; metric < question_.metrics.size(); ++metric) {
                const auto [least, most] = range(metric);
                line.at.push_back(most > least ? (mean(point, metric) - least) / (most - least)
                                               : 0.5);
            }
            chart.lines.push_back(std::move(line));
        };
        const std::string_view quiet =
            points_.size() > few_lines ? "thin unclear fainter" : "thin unclear faint";
        for (std::size_t i = 0; i < points_.size(); ++i)
            if (!is_on_front(i) && chart.lines.size() + front_.size() < most_parallel_lines)
                add(i, quiet);
        for (const std::size_t i : front_)
            add(i, "better");
    }

    /// From the table of the answer; nothing where it has none.
    std::optional<Figure> sensitivity() const {
        const std::vector<const ReportTable*> tables = answer_.all<ReportTable>();
        const auto found = std::ranges::find(tables, "axes", &ReportTable::key);
        if (found == tables.end() || (*found)->rows.empty())
            return std::nullopt;
        const ReportTable& axes = **found;
        Figure figure{{"axes", "Which axis moves what?", ""}, axes};
        BarChart chart{
            figure.title, linear_axis("% of the variance, interactions included", 0, 100, 5), {}};
        std::vector<std::string> leading;
        for (std::size_t metric = 0; metric < question_.metrics.size(); ++metric) {
            double most = -1;
            for (const ReportRow& row : axes.rows) {
                const double total = 100 * std::get<double>(row.cells[2 + 2 * metric]);
                if (!std::isfinite(total))
                    continue;
                const std::string& axis = std::get<std::string>(row.cells[0]);
                chart.bars.push_back({fmt::format("{} by {}", metric_title(metric), axis),
                                      fmt::format("{:.1f} %", total),
                                      "s" + std::to_string(metric % 6),
                                      0,
                                      total});
                if (total <= most)
                    continue;
                leading.resize(metric + 1);
                most = total;
                leading[metric] = fmt::format("{} moves {} most", axis, metric_title(metric));
            }
        }
        if (chart.bars.empty())
            return std::nullopt;
        std::erase(leading, "");
        figure.title.answer = fmt::format("{}.", fmt::join(leading, ", "));
        return drawn(std::move(figure), std::move(chart));
    }

    /// The mean of the first metric over all scenarios that have a value of either axis, of the
    /// first two paths that vary. Without scenarios that refining added: they would be means over
    /// fewer others.
    std::optional<Figure> map() const {
        std::vector<std::size_t> paths;
        for (std::size_t path = 0; path < table_.paths.size() && paths.size() < 2; ++path)
            if (const std::size_t count = grid_values(path).size();
                count > 1 && count <= most_axis_values)
                paths.push_back(path);
        if (paths.size() < 2)
            return std::nullopt;
        const std::vector<std::string> columns = grid_values(paths[0]);
        const std::vector<std::string> rows = grid_values(paths[1]);
        std::map<std::pair<std::string, std::string>, std::pair<double, double>> sums;
        for (const SweepPoint& point : points_) {
            if (table_.refined.is_added(point.scenario))
                continue;
            auto& [sum, count] = sums[{point.values[paths[1]], point.values[paths[0]]}];
            sum += mean(point, 0);
            ++count;
        }
        return map_figure(paths, columns, rows, sums);
    }

    using CellSums = std::map<std::pair<std::string, std::string>, std::pair<double, double>>;

    [[nodiscard]] Figure map_figure(const std::vector<std::size_t>& paths,
                                    const std::vector<std::string>& columns,
                                    const std::vector<std::string>& rows,
                                    const CellSums& sums) const {
        const ScalarKind kind = metrics_[0]->kind;
        double least = 1e300;
        double most = -1e300;
        for (const auto& [place, sum] : sums) {
            least = std::min(least, sum.first / sum.second);
            most = std::max(most, sum.first / sum.second);
        }
        Figure figure{{"map",
                       fmt::format("How does {} change with {} and {}?",
                                   metric_title(0),
                                   path_title(paths[0]),
                                   path_title(paths[1])),
                       fmt::format("From {} to {}; the stronger the colour, the more.",
                                   scalar_text(least, kind),
                                   scalar_text(most, kind))},
                      {{{path_title(paths[1]), Align::left}}, {}},
                      {"Means over the other axes."}};
        if (table_.refined.any())
            figure.notes.emplace_back("Scenarios that --refine added are not in it.");
        HeatMap map{
            figure.title,
            fmt::format("columns: {}; rows: {}", path_title(paths[0]), path_title(paths[1])),
            shows_own_unit(0) ? std::string{} : scale(0).unit,
            columns,
            rows,
            {}};
        for (int shade = 0; shade < 6; ++shade)
            map.shades.push_back(short_text(least + (most - least) * shade / 5, 0));
        for (const std::string& column : columns)
            figure.table.columns.push_back({path_title(paths[0]) + " " + column});
        for (const std::string& row : rows) {
            ReportRow& cells = figure.table.rows.emplace_back(ReportRow{{row}, RowKind::plain});
            for (const std::string& column : columns) {
                const auto sum = sums.find({row, column});
                if (sum == sums.end()) {
                    map.cells.emplace_back();
                    cells.cells.emplace_back("-");
                    continue;
                }
                const double value = sum->second.first / sum->second.second;
                map.cells.emplace_back(most > least ? (value - least) / (most - least) : 0.5);
                cells.cells.push_back(scalar_text(value, kind));
            }
        }
        return drawn(std::move(figure), std::move(map));
    }

    const SweepTable& table_;
    const SweepQuestion& question_;
    const Document& answer_;
    std::vector<const ScalarRow*> metrics_;
    std::vector<SweepPoint> points_;
    std::vector<std::size_t> front_;
};

} // namespace

std::vector<Figure>
sweep_figures(const SweepTable& table, const SweepQuestion& question, const Document& answer) {
    return SweepCharts{table, question, answer}.figures();
}

}} // namespace bursar::reports
