#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/bill/bill_table.hpp"
#include "reports/charts/line_chart.hpp"
#include "reports/html/figures.hpp"
#include "reports/rounding/printed_units.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::int64_t most_leaf_stretches = 130;
constexpr std::size_t steps_of_leaves = 5;

/// From the bottom of the stack.
constexpr std::array stacked_groups{LeafGroup::productive,
                                    LeafGroup::stalled,
                                    LeafGroup::lost,
                                    LeafGroup::overhead,
                                    LeafGroup::idle,
                                    LeafGroup::unavailable};

/// What a stretch of time has of each leaf group.
struct Stretch {
    Duration begin, end; ///< inside the window of the bill
    std::array<SlotTime, stacked_groups.size()> held{};
    Money cost{};

    [[nodiscard]] SlotTime all() const {
        SlotTime sum;
        for (const SlotTime& part : held)
            sum += part;
        return sum;
    }
    /// GPUs that a part of it is on average.
    [[nodiscard]] double gpus(SlotTime part) const {
        return static_cast<double>(part.count()) /
               (static_cast<double>((end - begin).count()) * slots_per_gpu);
    }
};

std::size_t layer_of(LeafGroup group) {
    return static_cast<std::size_t>(std::ranges::find(stacked_groups, group) -
                                    stacked_groups.begin());
}

/// The length of a stretch in periods: whole hours or days that give at most
/// most_leaf_stretches of them.
std::int64_t periods_of_a_stretch(std::int64_t num_periods) {
    for (const std::int64_t num : {1, 2, 3, 6, 12, 24, 48, 168, 336, 720})
        if (num_periods <= num * most_leaf_stretches)
            return num;
    return num_periods / most_leaf_stretches + 1;
}

/// The window of the bill in stretches of equal length. What is billed past the end is left out.
std::vector<Stretch> stretches_of(const Result& result) {
    const PeriodColumns& periods = result.periods;
    std::vector<Stretch> out;
    if (periods.size() == 0 || result.window_begin >= result.window_end)
        return out;
    const auto period_at = [&](Duration t) { return (t - periods.origin) / periods.width; };
    const std::int64_t first = period_at(result.window_begin);
    const std::int64_t last = period_at(result.window_end - Duration{1});
    const std::int64_t num = periods_of_a_stretch(last - first + 1);
    for (std::int64_t begin = first / num * num; begin <= last; begin += num) {
        const Duration from = periods.origin + begin * periods.width;
        out.push_back({std::max(from, result.window_begin),
                       std::min(from + num * periods.width, result.window_end)});
    }
    for (std::size_t i = 0; i < periods.size(); ++i) {
        const ResultCell& cell = result.cells[periods.cell[i]];
        if (cell.leaf == Leaf::unavail_reserved_unlaunched)
            continue;
        const auto at = static_cast<std::size_t>(periods.bucket[i] / num - first / num);
        if (at >= out.size())
            continue; // only in a file that bursar did not write
        Stretch& stretch = out[at];
        stretch.held[layer_of(group_of(cell.leaf))] += periods.held(i);
        stretch.cost += result.cost_of_period(i);
    }
    return out;
}

double share_of_productive(const Stretch& stretch) {
    return static_cast<double>(stretch.held[0].count()) /
           static_cast<double>(stretch.all().count());
}

/// "the 24 h from 2017-11-04 00:00:00Z (38 %)"
std::string share_in(const Result& result, const Stretch& stretch) {
    return fmt::format("the {} from {} ({:.0f} %)",
                       span_text(stretch.end - stretch.begin),
                       readable_instant(result.zero_utc_ms, stretch.begin),
                       100 * share_of_productive(stretch));
}

/// When most and least of the time was of use. Empty where there was none.
std::string best_and_worst(const Result& result, const std::vector<Stretch>& stretches) {
    const Stretch* best = nullptr;
    const Stretch* worst = nullptr;
    for (const Stretch& stretch : stretches) {
        if (stretch.all() == SlotTime{})
            continue;
        if (best == nullptr || share_of_productive(stretch) > share_of_productive(*best))
            best = &stretch;
        if (worst == nullptr || share_of_productive(stretch) < share_of_productive(*worst))
            worst = &stretch;
    }
    if (best == nullptr)
        return "";
    if (best->held[0] == SlotTime{})
        return "None of it was productive.";
    if (best == worst)
        return fmt::format("{:.0f} % of it was productive, in every stretch of the chart.",
                           100 * share_of_productive(*best));
    return fmt::format("Productive share: highest in {}, lowest in {}.",
                       share_in(result, *best),
                       share_in(result, *worst));
}

std::string tenths_of_gpu_hours(SlotTime held) {
    return grouped_text(divide_half_up(held.count(), slot_ms_per_gpu_hour / 10), 1);
}

ReportTable stretch_table(const Result& result,
                          const std::vector<Stretch>& stretches,
                          const std::vector<std::size_t>& shown) {
    ReportTable table{{{"from", Align::left}}, {}};
    for (const std::size_t layer : shown)
        table.columns.push_back({fmt::format("{}, GPU-hours", group_title(stacked_groups[layer]))});
    table.columns.push_back({"USD"});
    for (const Stretch& stretch : stretches) {
        std::vector<std::string> cells{readable_instant(result.zero_utc_ms, stretch.begin)};
        for (const std::size_t layer : shown)
            cells.push_back(tenths_of_gpu_hours(stretch.held[layer]));
        cells.push_back(
            grouped_text(divide_half_up(stretch.cost.count(), 10'000 * money_per_micro_usd), 2));
        table.rows.push_back({std::move(cells), RowKind::plain});
    }
    return table;
}

} // namespace

std::optional<Figure> leaves_over_time(const Result& result) {
    const std::vector<Stretch> stretches = stretches_of(result);
    if (stretches.empty())
        return std::nullopt;
    Figure figure{{"leaves", "Where did GPU time go, and when?", best_and_worst(result, stretches)},
                  {},
                  {fmt::format("Averages over {}. Work is where it was done, on the leaf where it "
                               "ended.",
                               span_text(stretches.front().end - stretches.front().begin))}};
    StackedChart chart{
        figure.title,
        time_axis(result.zero_utc_ms, Duration{}, result.window_end, steps_of_leaves),
        {},
        {},
        {}};
    std::vector<std::size_t> shown;
    double most = 0;
    for (std::size_t layer = 0; layer < stacked_groups.size(); ++layer) {
        const bool has_any = std::ranges::any_of(
            stretches, [&](const Stretch& stretch) { return stretch.held[layer] != SlotTime{}; });
        if (!has_any)
            continue;
        shown.push_back(layer);
        const std::string title{group_title(stacked_groups[layer])};
        chart.layers.push_back({title, title, {}});
        for (const Stretch& stretch : stretches)
            chart.layers.back().values.push_back(stretch.gpus(stretch.held[layer]));
    }
    for (const Stretch& stretch : stretches) {
        chart.from.push_back(static_cast<double>(stretch.begin.count()));
        most = std::max(most, stretch.gpus(stretch.all()));
    }
    chart.y = linear_axis("GPUs", 0, most, 5);
    figure.table = stretch_table(result, stretches, shown);
    return drawn(std::move(figure), std::move(chart));
}

}} // namespace bursar::reports
