#include "reports/html/node_figures.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/charts/chart_data.hpp"
#include "reports/charts/row_chart.hpp"
#include "reports/html/node_gantt.hpp"
#include "reports/html/node_time.hpp"
#include "reports/html/over_time.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t most_node_rows = 40; ///< of a heat map
constexpr std::size_t columns_of_a_pool = 10;

/// "93 %"
std::string percent_text(double share) {
    if (share > 0 && share < 0.005)
        return "less than 1 %";
    return fmt::format("{:.0f} %", 100 * share);
}

/// A row, and the share of its slots over the whole run that jobs held.
struct HeldShare {
    NodeGroup group;
    double share{};
};

std::string busiest(const Result& result, const HeldShare& most) {
    return fmt::format("The busiest: {}, whose GPUs jobs held for {} of the whole run",
                       node_group_title(result, most.group),
                       percent_text(most.share));
}

/// Which nodes were held most, and which least. One that comes and goes may not have been there,
/// and is not called idle.
std::string busiest_and_idlest(const Result& result, const TimeBins& time, const NodeTime& nodes) {
    std::vector<HeldShare> all;
    for (std::size_t group = 0; group < nodes.groups.size(); ++group)
        all.push_back({nodes.groups[group], nodes.share(result, time, group)});
    const HeldShare most = *std::ranges::max_element(all, {}, &HeldShare::share);
    const bool some_come_and_go = std::erase_if(all, [&](const HeldShare& of) {
                                      return result.pools[of.group.pool].has_range();
                                  }) > 0;
    if (all.empty() || (some_come_and_go && all.size() == 1 && all.front().group == most.group))
        return busiest(result, most) + '.';
    const HeldShare least = *std::ranges::min_element(all, {}, &HeldShare::share);
    if (some_come_and_go)
        return fmt::format("{}; the idlest of those that do not come and go: {}, for {}.",
                           busiest(result, most),
                           node_group_title(result, least.group),
                           percent_text(least.share));
    if (all.size() == 1)
        return fmt::format("Jobs held {} of the GPU time of {} over the whole run.",
                           percent_text(most.share),
                           node_group_title(result, most.group));
    if (100 * (most.share - least.share) < 1)
        return fmt::format("All alike: jobs held {:.0f} to {:.0f} % of their GPU time over the "
                           "whole run.",
                           100 * least.share,
                           100 * most.share);
    return fmt::format("{}; the idlest: {}, for {}.",
                       busiest(result, most),
                       node_group_title(result, least.group),
                       percent_text(least.share));
}

/// "owned 4-7"; of a long name, its beginning.
std::string row_title(const Result& result, const NodeGroup& group) {
    const std::string pool = terminal_text(valid_utf8(result.pools[group.pool].name));
    return cut_to_width(pool, columns_of_a_pool) + ' ' + node_numbers(group);
}

/// The number of nodes of a pool that are drawn.
std::uint32_t drawn_nodes(const NodeTime& nodes, std::size_t pool) {
    std::uint32_t drawn = 0;
    for (const NodeGroup& group : nodes.groups)
        if (group.pool == pool)
            drawn = group.end;
    return drawn;
}

/// Where nodes come and go.
void add_range_note(const Result& result, const NodeTime& nodes, std::vector<std::string>& notes) {
    std::vector<std::string> names;
    bool are_all_drawn = true;
    for (std::size_t p = 0; p < result.pools.size(); ++p) {
        const std::uint32_t drawn = drawn_nodes(nodes, p);
        if (!result.pools[p].has_range() || drawn == 0)
            continue;
        names.push_back(result.pools[p].name);
        are_all_drawn = are_all_drawn && drawn == result.pools[p].num_nodes;
    }
    if (names.empty())
        return;
    notes.push_back(fmt::format("Nodes of {} come and go: one that holds no job may not have been "
                                "there{}.",
                                fmt::join(names, ", "),
                                are_all_drawn ? ""
                                              : ", and the last that never held one are left "
                                                "out"));
}

std::vector<std::string>
notes_of(const Result& result, const TimeBins& time, const NodeTime& nodes) {
    std::vector<std::string> notes{averages_note(time) +
                                   " The share of a node's GPUs that jobs held; nodes are numbered "
                                   "from 0."};
    if (nodes.nodes_a_group > 1)
        notes.push_back(fmt::format("Too many nodes for a row each: {} neighbours of a pool are "
                                    "one row, its last nodes perhaps fewer.",
                                    nodes.nodes_a_group));
    std::vector<std::size_t> drawn;
    for (const NodeGroup& group : nodes.groups)
        if (drawn.empty() || drawn.back() != group.pool)
            drawn.push_back(group.pool);
    if (drawn.size() < result.pools.size())
        notes.push_back(fmt::format("{} of {} pools: those with most GPUs that held jobs.",
                                    drawn.size(),
                                    result.pools.size()));
    add_range_note(result, nodes, notes);
    return notes;
}

/// The rows of a map, pools apart by a row of nothing.
HeatMap node_map(const Result& result, const TimeBins& time, const NodeTime& nodes) {
    HeatMap map{{}, "", "held", {}, {}, {}};
    const Axis axis = axis_of_time(result);
    map.x_title = axis.title;
    map.columns = bin_labels(axis, time);
    map.column_names = bin_names(result, time);
    for (std::size_t group = 0; group < nodes.groups.size(); ++group) {
        if (group > 0 && nodes.groups[group].pool != nodes.groups[group - 1].pool) {
            map.rows.emplace_back();
            map.cells.resize(map.cells.size() + time.bins.size());
        }
        map.rows.push_back(row_title(result, nodes.groups[group]));
        for (std::size_t bin = 0; bin < time.bins.size(); ++bin)
            map.cells.emplace_back(nodes.share(result, time, group, bin));
    }
    return map;
}

/// Bin by bin, and last over the whole run.
HtmlTable table_of_nodes(const Result& result, const TimeBins& time, const NodeTime& nodes) {
    std::vector<std::string> titles;
    std::vector<std::string> all{"whole run"};
    for (std::size_t group = 0; group < nodes.groups.size(); ++group) {
        titles.push_back(node_group_title(result, nodes.groups[group]) + ", % held");
        all.push_back(tenths_text(100 * nodes.share(result, time, group)));
    }
    HtmlTable table = table_over_time(result, time, titles, [&](const TimeBin& of) {
        const auto bin = static_cast<std::size_t>(&of - time.bins.data());
        std::vector<std::string> cells;
        for (std::size_t group = 0; group < nodes.groups.size(); ++group)
            cells.push_back(tenths_text(100 * nodes.share(result, time, group, bin)));
        return cells;
    });
    table.rows.push_back({std::move(all), HtmlRowKind::sum});
    return table;
}

} // namespace

std::optional<Figure> nodes_over_time(const Result& result, const TimeBins& time) {
    const NodeTime nodes = node_time(result, time, most_node_rows);
    if (nodes.groups.empty())
        return std::nullopt;
    const ChartTitle title{
        "nodes", "Which nodes worked when?", busiest_and_idlest(result, time, nodes)};
    if (std::optional<Figure> gantt = node_gantt(result, time, nodes, title)) {
        add_range_note(result, nodes, gantt->notes);
        return gantt;
    }
    HeatMap map = node_map(result, time, nodes);
    map.title = title;
    return Figure{title,
                  heat_map_svg(map),
                  table_of_nodes(result, time, nodes),
                  notes_of(result, time, nodes),
                  chart_data(map)};
}

std::string why_no_nodes(const Result& result) {
    if (!result.places.empty())
        return "";
    if (result.num_started == 0)
        return result.timeline.size() > 0
                   ? "No job started, so no node worked."
                   : "No job started, so no node worked. This result has no timeline: GPUs, the "
                     "queue and what an hour cost are not drawn.";
    if (result.run.policy.capacity == "count")
        return "Which nodes worked when is not known: jobs held GPUs of a pool, counted, and no "
               "nodes of it (policy.capacity: count).";
    return "Which nodes worked when is not known: this result does not say which nodes jobs held.";
}

}} // namespace bursar::reports
