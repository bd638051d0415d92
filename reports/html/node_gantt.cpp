#include "reports/html/node_gantt.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/charts/chart_data.hpp"
#include "reports/charts/row_chart.hpp"
#include "reports/html/job_spans.hpp"
#include "reports/html/over_time.hpp"
#include "reports/result/result_attempt.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t most_gpus = 64; ///< each a lane of a few pixels
constexpr std::size_t most_pieces = 400;

/// What an attempt held of one node.
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
    return nodes.nodes_a_group == 1 && gpus <= most_gpus &&
           result.places.node.size() <= most_pieces &&
           std::ranges::all_of(result.jobs.gpu_slots, is_whole);
}

/// Node by node, in the order in which they began.
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

/// Draws a piece in the first lanes that are free, as few bars as they let it be.
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

HtmlRow table_row(const Result& result, const NodeTime& nodes, const NodePiece& piece) {
    const auto instant = [&](Duration t) { return readable_instant(result.zero_utc_ms, t); };
    return {{node_group_title(result, nodes.groups[piece.group]),
             job_title(result, piece.attempt.job),
             grouped_text(static_cast<std::int64_t>(piece.gpus), 0),
             instant(piece.attempt.start),
             instant(piece.attempt.end),
             std::string{end_cause(result, piece.attempt)}},
            HtmlRowKind::plain};
}

} // namespace

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
                  {},
                  {{{"node", true},
                    {"job", true},
                    {"GPUs"},
                    {"from", true},
                    {"to", true},
                    {"how it ended", true}},
                   {}},
                  {"Each bar is an attempt of a job, as high as the GPUs that it held of the node. "
                   "Which of them is not recorded: it is drawn on the first that were free."}};
    for (const NodePiece& piece : pieces_of(result, nodes)) {
        add_spans(result, piece, free_from[piece.group], chart.rows[piece.group]);
        figure.table.rows.push_back(table_row(result, nodes, piece));
    }
    chart.legend = legend_of_spans(chart.rows);
    chart.legend.insert(chart.legend.begin(), {"free", "h0"});
    figure.svg = gantt_svg(chart);
    figure.data = chart_data(chart);
    return figure;
}

}} // namespace bursar::reports
