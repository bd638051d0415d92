#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "reports/charts/bar_chart.hpp"
#include "reports/charts/point_chart.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/metric_scale.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr double room_for_title = 400; ///< of an axis, in pixels

/// A size of dots.
struct DotSize {
    std::uint64_t least{}; ///< of its jobs
    std::string_view name;
    std::string_view jobs; ///< in words
};

/// The largest first.
constexpr std::array<DotSize, 4> dot_sizes{{{101, "d4", "more than 100 jobs"},
                                            {11, "d3", "11 to 100 jobs"},
                                            {2, "d2", "2 to 10 jobs"},
                                            {1, "d1", "1 job"}}};

double seconds(std::int64_t ms) {
    return static_cast<double>(ms) / 1000;
}

std::vector<double> all_seconds(const std::vector<std::int64_t>& ms) {
    std::vector<double> out;
    for (const std::int64_t one : ms)
        out.push_back(seconds(one));
    return out;
}

/// From the last mark below the shortest JCT to the first above the longest.
Axis jct_axis(const JobChanges& changes, const std::string& run) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = 0;
    for (const std::vector<std::int64_t>* ms : {&changes.points.base_ms,
                                                &changes.points.variant_ms,
                                                &changes.base_only_ms,
                                                &changes.variant_only_ms})
        for (const std::int64_t one : *ms) {
            least = std::min(least, one);
            most = std::max(most, one);
        }
    const double min_s = seconds(least);
    const double max_s = seconds(most);
    Axis axis = span_axis(svg_cut("JCT in " + run, room_for_title), max_s);
    while (axis.ticks.size() > 2 && axis.ticks[1].at <= min_s)
        axis.ticks.erase(axis.ticks.begin());
    axis.min = axis.ticks.front().at;
    return axis;
}

std::string_view colour_of(std::int64_t base_ms, std::int64_t variant_ms) {
    if (base_ms == variant_ms)
        return "unclear";
    return variant_ms < base_ms ? "better" : "worse";
}

std::vector<ScatterCloud> clouds_of(const JobPoints& points) {
    std::vector<ScatterCloud> clouds;
    for (const DotSize& size : dot_sizes)
        for (const std::string_view colour : {"unclear", "worse", "better"})
            clouds.push_back({fmt::format("{} {}", colour, size.name), {}, std::string{size.jobs}});
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto* const size = std::ranges::find_if(
            dot_sizes, [&](const DotSize& one) { return points.jobs[i] >= one.least; });
        const std::string classes =
            fmt::format("{} {}", colour_of(points.base_ms[i], points.variant_ms[i]), size->name);
        std::ranges::find(clouds, classes, &ScatterCloud::classes)
            ->at.emplace_back(seconds(points.base_ms[i]), seconds(points.variant_ms[i]));
    }
    return clouds;
}

ReportTable table_of(const JobChanges& changes) {
    ReportTable table{
        {{"jobs", Align::left}, {"count"}, {"median of each JCT over its own in the base"}}, {}};
    const auto add = [&](std::string what,
                         std::uint64_t jobs,
                         std::optional<double> ratio,
                         RowKind kind = RowKind::plain) {
        table.rows.push_back({{std::move(what),
                               grouped_text(int128{jobs}, 0),
                               ratio ? jct_ratio_text(*ratio) : std::string{}},
                              kind});
    };
    add("gained: a shorter JCT", changes.gained, changes.ratio_of_gained);
    add("lost: a longer one", changes.lost, changes.ratio_of_lost);
    add("took as long", changes.equal, changes.equal > 0 ? std::optional{1.0} : std::nullopt);
    add("finished in both", changes.pairs(), changes.ratio, RowKind::sum);
    add("finished in the base alone", changes.base_only, {});
    add("finished in the variant alone", changes.variant_only, {});
    add("finished in neither", changes.neither, {});
    if (changes.unpaired > 0)
        add("in one of them alone", changes.unpaired, {});
    return table;
}

std::vector<std::string> notes_of(const Comparison& comparison, const ComparedVariant& variant) {
    const ComparedVariant& base = comparison.variants.front();
    const JobChanges& changes = *variant.jobs;
    std::vector<std::string> notes;
    if (comparison.num_runs() > 1)
        notes.push_back(fmt::format(
            "Jobs of seed {}, the first of {}.", comparison.first_seed, comparison.num_runs()));
    if (changes.is_binned())
        notes.emplace_back(
            "Small dots are single jobs; larger ones are 2 to 10, 11 to 100, and more "
            "jobs of about the same JCTs.");
    if (changes.base_only > 0)
        notes.push_back(fmt::format("Strokes at the top are jobs that finished in {} alone: {}.",
                                    base.label,
                                    grouped_text(int128{changes.base_only}, 0)));
    if (changes.variant_only > 0)
        notes.push_back(fmt::format("Strokes on the right are jobs that finished in {} alone: {}.",
                                    variant.label,
                                    grouped_text(int128{changes.variant_only}, 0)));
    if (!base.workloads.empty() && base.workloads.front().jobs != variant.workloads.front().jobs)
        notes.emplace_back("The workloads differ: jobs of one name or number are compared, which "
                           "may be submitted at other times, or hold other GPUs.");
    return notes;
}

Figure job_change_figure(const Comparison& comparison, std::size_t number) {
    const ComparedVariant& base = comparison.variants.front();
    const ComparedVariant& variant = comparison.variants[number];
    const JobChanges& changes = *variant.jobs;
    std::string answer = changes_sentence(changes, base.label) + ".";
    answer.front() = 'O'; // of "of 3,000 jobs"
    Figure figure{{fmt::format("jobs-{}", number),
                   fmt::format("Which jobs gained and which lost in {}?", variant.label),
                   std::move(answer)},
                  table_of(changes),
                  notes_of(comparison, variant)};
    ScatterChart chart{
        figure.title,
        jct_axis(changes, base.label),
        jct_axis(changes, variant.label),
        {{"gained (below)", "better"}, {"lost (above)", "worse"}, {"as long", "unclear"}},
        {},
        {},
        clouds_of(changes.points),
        /*has_diagonal=*/true,
        {{"worse", all_seconds(changes.base_only_ms), {}, "did not finish in " + variant.label},
         {"better", {}, all_seconds(changes.variant_only_ms), "did not finish in " + base.label}}};
    return drawn(std::move(figure), std::move(chart));
}

/// Bars of the tenants with most jobs, in the base and in the first variants. Absent where they are
/// not known, or are the jobs of one tenant.
std::optional<Figure> tenant_waits_figure(const Comparison& comparison) {
    constexpr std::size_t most_tenants = 4;
    constexpr std::size_t most_shown = 5; // the base among them
    std::vector<TenantWait> tenants = comparison.variants.front().tenants;
    if (tenants.size() < 2)
        return std::nullopt;
    const std::size_t num_tenants = tenants.size();
    std::ranges::stable_sort(tenants, std::greater{}, &TenantWait::jobs);
    tenants.resize(std::min(num_tenants, most_tenants));
    const std::size_t variants = std::min(comparison.variants.size(), most_shown);
    Figure figure{
        {"tenant-waits", "Mean wait by tenant", ""},
        {{{"tenant", Align::left}, {"variant", Align::left}, {"jobs"}, {"mean wait"}}, {}},
        {"From submit to first start of the measured jobs; of jobs that never started to "
         "the end of the run."}};
    if (comparison.num_runs() > 1)
        figure.notes.push_back(fmt::format(
            "Jobs of seed {}, the first of {}.", comparison.first_seed, comparison.num_runs()));
    if (num_tenants > most_tenants || comparison.variants.size() > most_shown)
        figure.notes.push_back(fmt::format("The {} tenants with most jobs, of {}, in {} of {} "
                                           "variants.",
                                           tenants.size(),
                                           num_tenants,
                                           variants,
                                           comparison.variants.size()));
    Duration most{};
    std::string longest;
    BarChart chart{};
    for (const TenantWait& tenant : tenants)
        for (std::size_t i = 0; i < variants; ++i) {
            const ComparedVariant& variant = comparison.variants[i];
            const auto wait =
                std::ranges::find(variant.tenants, tenant.tenant, &TenantWait::tenant);
            if (wait == variant.tenants.end())
                continue;
            chart.bars.push_back({fmt::format("{}: {}", tenant.tenant, variant.label),
                                  span_text(wait->mean),
                                  i == 0 ? "s5" : "s0",
                                  0,
                                  seconds(wait->mean.count())});
            figure.table.rows.push_back({{tenant.tenant,
                                          variant.label,
                                          grouped_text(int128{wait->jobs}, 0),
                                          span_text(wait->mean)},
                                         RowKind::plain});
            if (wait->mean > most) {
                most = wait->mean;
                longest = fmt::format(
                    "Longest: {} in {}, {}.", tenant.tenant, variant.label, span_text(wait->mean));
            }
        }
    if (most == Duration{})
        return std::nullopt;
    figure.title.answer = longest;
    const MetricScale scale = metric_scale(ScalarKind::seconds, seconds(most.count()));
    for (ChartBar& bar : chart.bars)
        bar.to /= scale.divisor;
    chart.x = linear_axis(
        fmt::format("mean wait, {}", scale.unit), 0, seconds(most.count()) / scale.divisor, 4);
    return drawn(std::move(figure), std::move(chart));
}

} // namespace

std::vector<Figure> job_change_figures(const Comparison& comparison) {
    std::vector<Figure> figures;
    for (std::size_t i = 1; i < comparison.variants.size(); ++i)
        if (const auto& changes = comparison.variants[i].jobs; changes && changes->pairs() > 0)
            figures.push_back(job_change_figure(comparison, i));
    // The tallest chart last: on paper it leaves no gap before the others.
    if (auto waits = tenant_waits_figure(comparison))
        figures.push_back(std::move(*waits));
    if (comparison.variants.size() - 1 > max_variants_with_job_changes && !figures.empty())
        figures.front().notes.push_back(
            fmt::format("Jobs are kept of the first {} variants.", max_variants_with_job_changes));
    return figures;
}

}} // namespace bursar::reports
