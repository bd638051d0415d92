#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/charts/row_chart.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/job_spans.hpp"
#include "reports/html/node_time.hpp"
#include "reports/html/over_time.hpp"
#include "reports/result/result_attempt.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/instant.hpp"

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

/// A row, and the share of its slot time over the whole run that jobs held.
struct HeldShare {
    NodeGroup group;
    double share{};
};

std::string busiest(const Result& result, const HeldShare& most) {
    return fmt::format("The busiest: {}, whose GPUs jobs held for {} of the whole run",
                       node_group_title(result, most.group),
                       percent_text(most.share));
}

/// The busiest and the idlest nodes. Nodes that come and go are not called idle, as they may not
/// have been launched.
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

/// Notes on pools whose nodes come and go.
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
        notes.push_back(
            fmt::format("Each row is {} nodes of a pool; the last row of a pool may be fewer.",
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

/// The rows of a map, with an empty row between pools.
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

/// Shares by bin, and last over the whole run.
ReportTable table_of_nodes(const Result& result, const TimeBins& time, const NodeTime& nodes) {
    std::vector<std::string> titles;
    std::vector<std::string> all{"whole run"};
    for (std::size_t group = 0; group < nodes.groups.size(); ++group) {
        titles.push_back(node_group_title(result, nodes.groups[group]) + ", % held");
        all.push_back(tenths_text(100 * nodes.share(result, time, group)));
    }
    ReportTable table = table_over_time(result, time, titles, [&](const TimeBin& of) {
        const auto bin = static_cast<std::size_t>(&of - time.bins.data());
        std::vector<std::string> cells;
        for (std::size_t group = 0; group < nodes.groups.size(); ++group)
            cells.push_back(tenths_text(100 * nodes.share(result, time, group, bin)));
        return cells;
    });
    table.rows.push_back({std::move(all), RowKind::sum});
    return table;
}

constexpr std::size_t most_gpus = 64; ///< one lane of a few pixels each
constexpr std::size_t most_pieces = 400;

/// The GPUs of one node that an attempt held.
struct NodePiece {
    std::size_t group{}; ///< the node
    ResultAttempt attempt;
    std::size_t gpus{};
};

bool is_legible(const Result& result, const NodeTime& nodes) {
    std::size_t gpus = 0;
    for (const NodeGroup& group : nodes.groups)
        gpus += std::size_t{group.size()} * result.pools[group.pool].gpus_per_node;
    const auto is_whole = [](std::uint16_t slots) { return slots == slots_per_gpu; };
    return nodes.nodes_a_group == 1 && gpus <= most_gpus && result.jobs.last_gpu_slots.empty() &&
           result.places.node.size() <= most_pieces &&
           std::ranges::all_of(result.jobs.gpu_slots, is_whole);
}

/// By node, then by start.
std::vector<NodePiece> pieces_of(const Result& result, const NodeTime& nodes) {
    const PlaceColumns& places = result.places;
    std::vector<NodePiece> pieces;
    for_each_attempt(result, [&](const ResultAttempt& attempt) {
        for (std::size_t piece = places.begin_of(attempt.index); piece < places.end[attempt.index];
             ++piece) {
            const NodeGroup node{attempt.pool, places.node[piece], places.node[piece] + 1};
            const auto group = std::ranges::find(nodes.groups, node);
            if (group != nodes.groups.end() && attempt.start < attempt.end)
                pieces.push_back({static_cast<std::size_t>(group - nodes.groups.begin()),
                                  attempt,
                                  places.gpus[piece]});
        }
    });
    std::ranges::stable_sort(pieces, [](const NodePiece& a, const NodePiece& b) {
        return a.group != b.group ? a.group < b.group : a.attempt.start < b.attempt.start;
    });
    return pieces;
}

std::string tip_of(const Result& result, const NodePiece& piece) {
    return fmt::format("{}: {} GPUs here for {}, {}",
                       job_title(result, piece.attempt.job),
                       piece.gpus,
                       span_text(piece.attempt.end - piece.attempt.start),
                       end_cause(result, piece.attempt));
}

/// Draws a piece in the first free lanes; neighbouring lanes are one bar.
void add_spans(const Result& result,
               const NodePiece& piece,
               std::vector<Duration>& free_from,
               ChartRow& row) {
    const JobState state = result.jobs.state[piece.attempt.job];
    const std::size_t first = row.spans.size();
    std::size_t left = piece.gpus;
    for (std::size_t lane = 0; lane < free_from.size() && left > 0; ++lane) {
        if (free_from[lane] > piece.attempt.start)
            continue;
        free_from[lane] = piece.attempt.end;
        --left;
        if (row.spans.size() > first && row.spans.back().lane + row.spans.back().lanes == lane)
            ++row.spans.back().lanes;
        else
            row.spans.push_back(
                {static_cast<double>(piece.attempt.start.count()),
                 static_cast<double>(piece.attempt.end.count()),
                 std::string{colour_of_attempt(state, piece.attempt.stopped.has_value())},
                 tip_of(result, piece),
                 lane,
                 1});
    }
}

ReportRow table_row(const Result& result, const NodeTime& nodes, const NodePiece& piece) {
    const auto instant = [&](Duration t) { return readable_instant(result.zero_utc_ms, t); };
    return {{node_group_title(result, nodes.groups[piece.group]),
             job_title(result, piece.attempt.job),
             grouped_text(static_cast<std::int64_t>(piece.gpus), 0),
             instant(piece.attempt.start),
             instant(piece.attempt.end),
             std::string{end_cause(result, piece.attempt)}},
            RowKind::plain};
}

/// The attempts on every GPU of the nodes. Absent where there are too many nodes or attempts to be
/// legible, and where jobs share GPUs. nodes: of the result.
std::optional<Figure> node_gantt(const Result& result,
                                 const TimeBins& time,
                                 const NodeTime& nodes,
                                 const ChartTitle& title) {
    if (!is_legible(result, nodes))
        return std::nullopt;
    GanttChart chart{title, axis_of_time(result), {}, {}};
    std::vector<std::vector<Duration>> free_from;
    for (std::size_t group = 0; group < nodes.groups.size(); ++group) {
        const std::size_t lanes = result.pools[nodes.groups[group].pool].gpus_per_node;
        chart.rows.push_back(
            {node_group_title(result, nodes.groups[group]),
             fmt::format("{:.0f} % of {} GPUs held", 100 * nodes.share(result, time, group), lanes),
             {},
             lanes});
        free_from.emplace_back(lanes);
    }
    Figure figure{title,
                  {{{"node", Align::left},
                    {"job", Align::left},
                    {"GPUs"},
                    {"from", Align::left},
                    {"to", Align::left},
                    {"how it ended", Align::left}},
                   {}},
                  {"Each bar is an attempt of a job, as high as the GPUs that it held of the node. "
                   "Which of them is not recorded: it is drawn on the first that were free."}};
    for (const NodePiece& piece : pieces_of(result, nodes)) {
        add_spans(result, piece, free_from[piece.group], chart.rows[piece.group]);
        figure.table.rows.push_back(table_row(result, nodes, piece));
    }
    chart.legend = legend_of_spans(chart.rows);
    chart.legend.insert(chart.legend.begin(), {"free", "h0"});
    return drawn(std::move(figure), std::move(chart));
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
    return drawn({title, table_of_nodes(result, time, nodes), notes_of(result, time, nodes)},
                 std::move(map));
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
