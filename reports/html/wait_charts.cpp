#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "sim/record/distribution.hpp"

#include "reports/bill/tenant_shares.hpp"
#include "reports/charts/line_chart.hpp"
#include "reports/html/figures.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t most_curves = 4; ///< the last one of all other classes
constexpr std::size_t curve_points = 160;
constexpr std::int64_t millionth = 1'000'000;

/// The finished measured jobs in classes, one curve each.
struct JobClasses {
    std::string what; ///< what the classes are: "tenant"
    std::vector<std::string> titles;
    std::vector<std::uint32_t> of_job; ///< by job; num of titles: not shown
};

/// A figure of each job in whole units, whose distribution is shown.
struct JobFigure {
    std::string id, title, axis;
    bool is_time{};
    std::function<std::optional<std::int64_t>(std::size_t job)> value;
};

bool is_shown(const Result& result, std::size_t job) {
    return result.measures(job) && has_finished(result.jobs.state[job]) &&
           has_started(result.jobs.state[job]);
}

JobClasses by_tenant(const Result& result) {
    const JobColumns& jobs = result.jobs;
    std::vector<std::size_t> counts(result.tenants.size());
    for (std::size_t job = 0; job < jobs.size(); ++job)
        if (is_shown(result, job))
            ++counts[jobs.tenant[job]];
    std::vector<std::size_t> order(counts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t t) { return counts[t]; });
    std::erase_if(order, [&](std::size_t t) { return counts[t] == 0; });
    const std::size_t shown = order.size() > most_curves ? most_curves - 1 : order.size();
    JobClasses classes{"tenant", {}, std::vector<std::uint32_t>(jobs.size())};
    std::vector<std::uint32_t> class_of(counts.size(), static_cast<std::uint32_t>(shown));
    for (std::size_t i = 0; i < shown; ++i) {
        class_of[order[i]] = static_cast<std::uint32_t>(i);
        classes.titles.push_back(tenant_title(result.tenants[order[i]]));
    }
    if (order.size() > shown)
        classes.titles.push_back(fmt::format("other ({})", order.size() - shown));
    for (std::size_t job = 0; job < jobs.size(); ++job)
        classes.of_job[job] = class_of[jobs.tenant[job]];
    return classes;
}

JobClasses by_gang(const Result& result) {
    const JobColumns& jobs = result.jobs;
    JobClasses classes{"gang size", {}, std::vector<std::uint32_t>(jobs.size())};
    std::array<std::size_t, num_gang_classes> counts{};
    for (std::size_t job = 0; job < jobs.size(); ++job)
        if (is_shown(result, job))
            ++counts[gang_class(jobs.gpus[job])];
    // The classes with most jobs have a curve each, in the order of their size.
    std::array<std::size_t, num_gang_classes> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t gang) { return counts[gang]; });
    const auto used = static_cast<std::size_t>(num_gang_classes - std::ranges::count(counts, 0U));
    const std::size_t shown = used > most_curves ? most_curves - 1 : used;
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown));
    std::array<std::uint32_t, num_gang_classes> class_of{};
    class_of.fill(static_cast<std::uint32_t>(shown));
    for (std::size_t i = 0; i < shown; ++i) {
        class_of[order[i]] = static_cast<std::uint32_t>(i);
        classes.titles.emplace_back(gang_class_title(order[i]));
    }
    if (used > shown)
        classes.titles.push_back(fmt::format("other sizes ({})", used - shown));
    for (std::size_t job = 0; job < jobs.size(); ++job)
        classes.of_job[job] = class_of[gang_class(jobs.gpus[job])];
    return classes;
}

std::vector<std::vector<std::int64_t>>
values_of(const Result& result, const JobClasses& classes, const JobFigure& measure) {
    std::vector<std::vector<std::int64_t>> values(classes.titles.size());
    for (std::size_t job = 0; job < result.jobs.size(); ++job)
        if (is_shown(result, job))
            if (const auto value = measure.value(job))
                values[classes.of_job[job]].push_back(*value);
    return values;
}

/// The exact percentage of values at or below each of many points of the axis.
std::vector<std::pair<double, double>>
curve_of(const std::vector<std::int64_t>& values, const Axis& axis, double unit) {
    const double step = std::log(axis.max / axis.min) / curve_points;
    std::vector<std::size_t> counts(curve_points + 1);
    for (const std::int64_t value : values) {
        const double shown = static_cast<double>(value) / unit;
        const double at =
            shown <= axis.min ? 0 : std::ceil(std::log(shown / axis.min) / step - 1e-9);
        ++counts[std::min(static_cast<std::size_t>(at), curve_points)];
    }
    std::vector<std::pair<double, double>> points;
    std::size_t below = 0;
    for (std::size_t i = 0; i <= curve_points; ++i) {
        below += counts[i];
        if (counts[i] > 0 || i == 0 || i == curve_points)
            points.emplace_back(axis.min * std::exp(step * static_cast<double>(i)),
                                100.0 * static_cast<double>(below) /
                                    static_cast<double>(values.size()));
    }
    return points;
}

std::string value_text(const JobFigure& measure, int128 hundredths) {
    if (measure.is_time)
        return span_text(Duration{static_cast<std::int64_t>(divide_half_up(hundredths, 100))});
    return grouped_text(divide_half_up(hundredths, millionth), 2); // of millionths
}

/// One class that has jobs.
struct ClassFigures {
    std::string title;
    Distribution values; ///< in the unit of the figure
};

double mean_of(const Distribution& values) {
    return static_cast<double>(values.sum) / static_cast<double>(values.count);
}

std::string mean_text(const JobFigure& measure, const Distribution& values) {
    return value_text(measure, divide_half_up(values.sum * 100, values.count));
}

ReportRow row_of(const JobFigure& measure, const ClassFigures& one) {
    const Distribution& values = one.values;
    ReportRow row{{one.title, grouped_text(values.count, 0), mean_text(measure, values)},
                  RowKind::plain};
    for (const Percentile& percentile : percentiles)
        row.cells.push_back(value_text(measure, *(values.*percentile.hundredths)));
    row.cells.push_back(value_text(measure, int128{values.max} * 100));
    return row;
}

/// The class with the greatest mean. classes: not empty.
std::string worst_sentence(const JobFigure& measure, const std::vector<ClassFigures>& classes) {
    const ClassFigures& worst = *std::ranges::max_element(
        classes, {}, [](const ClassFigures& one) { return mean_of(one.values); });
    const std::string mean = mean_text(measure, worst.values);
    if (worst.values.sum <= 0)
        return fmt::format("{} for each of the jobs.", mean);
    const std::string rest = fmt::format("{} (median {}, p99 {}).",
                                         classes.size() == 1 ? mean + " on average" : mean,
                                         value_text(measure, *worst.values.p50_hundredths),
                                         value_text(measure, *worst.values.p99_hundredths));
    return classes.size() == 1 ? rest
                               : fmt::format("The most on average: {}, {}", worst.title, rest);
}

ReportTable distribution_table(const std::string& what) {
    ReportTable table{{{what, Align::left}, {"jobs"}, {"mean"}}, {}};
    for (const Percentile& percentile : percentiles)
        table.columns.push_back({std::string{percentile.name}});
    table.columns.push_back({"max"});
    return table;
}

Figure
distribution_figure(const Result& result, const JobClasses& classes, const JobFigure& measure) {
    Figure figure{
        {fmt::format("{}-by-{}", measure.id, classes.what == "tenant" ? "tenant" : "gang"),
         fmt::format("{} by {}", measure.title, classes.what),
         ""},
        distribution_table(classes.what)};
    auto values = values_of(result, classes, measure);
    const double unit = measure.is_time ? 1000.0 : double(millionth);
    std::int64_t most = 1;
    for (const auto& some : values)
        for (const std::int64_t value : some)
            most = std::max(most, value);
    const double max = static_cast<double>(most) / unit;
    LineChart chart{figure.title,
                    measure.is_time ? span_axis(measure.axis + ", log scale", max)
                                    : log_axis(measure.axis + ", log scale", 1, max),
                    linear_axis("% of the jobs at or below", 0, 100, 5),
                    {},
                    LineKind::steps};
    std::vector<ClassFigures> shown;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i].empty())
            continue;
        chart.lines.push_back({fmt::format("{}, n = {}",
                                           classes.titles[i],
                                           grouped_text(std::int64_t(values[i].size()), 0)),
                               "s" + std::to_string(chart.lines.size()),
                               curve_of(values[i], chart.x, unit)});
        shown.push_back({classes.titles[i], distribution_of(values[i])});
        figure.table.rows.push_back(row_of(measure, shown.back()));
    }
    if (figure.table.rows.empty())
        return figure;
    figure.title.answer = worst_sentence(measure, shown);
    figure.notes.push_back(
        fmt::format("Over the {} measured jobs that finished{}.",
                    grouped_text(result.metrics.jobs_finished, 0),
                    measure.is_time ? "; spans of less than a second lie at the left end" : ""));
    return drawn(std::move(figure), std::move(chart));
}

std::vector<JobFigure> figures_of_jobs(const Result& result) {
    const JobColumns& jobs = result.jobs;
    const auto jct = [&](std::size_t job) { return jobs.finish_ms[job] - jobs.submit_ms[job]; };
    return {{"wait",
             "Wait",
             "wait",
             true,
             [&](std::size_t job) -> std::optional<std::int64_t> {
                 return jobs.start_ms[job] - jobs.eligible(job);
             }},
            {"jct",
             "Job completion time (JCT)",
             "JCT",
             true,
             [jct](std::size_t job) -> std::optional<std::int64_t> { return jct(job); }},
            {"slowdown",
             "Slowdown (completion time / ideal run time)",
             "JCT / ideal run time",
             false,
             [&](std::size_t job) { return jobs.slowdown_millionths(job); }}};
}

} // namespace

std::size_t gang_class(std::int64_t gpus) {
    constexpr std::array<std::int64_t, num_gang_classes - 1> most{1, 4, 8, 16, 64};
    return static_cast<std::size_t>(std::ranges::lower_bound(most, gpus) - most.begin());
}

std::string_view gang_class_title(std::size_t gang_class) {
    constexpr std::array<std::string_view, num_gang_classes> titles{"1 GPU or less",
                                                                    "2 to 4 GPUs",
                                                                    "5 to 8 GPUs",
                                                                    "9 to 16 GPUs",
                                                                    "17 to 64 GPUs",
                                                                    "65 GPUs or more"};
    return titles[gang_class];
}

std::vector<Figure> wait_charts(const Result& result) {
    const std::array classes{by_tenant(result), by_gang(result)};
    std::vector<Figure> figures;
    for (const JobFigure& measure : figures_of_jobs(result))
        for (const JobClasses& some : classes)
            if (Figure figure = distribution_figure(result, some, measure); !figure.svg.empty())
                figures.push_back(std::move(figure));
    return figures;
}

}} // namespace bursar::reports
