#include "reports/topology/topology_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "reports/text/escape.hpp"
#include "reports/text/human_number.hpp"

namespace bursar { inline namespace reports {
namespace {

double known(double figure) {
    return figure > 0 ? figure : not_known;
}

/// A line of the tree: its branches and the device on the left, its links on the right.
struct TreeLine {
    std::string left;
    std::string right;
};

std::string counted(std::size_t count, const std::string& word) {
    return count == 1 ? word : fmt::format("{} x {}", count, word);
}

std::string gpus_in(const OutlineBox& box) {
    if (box.gpus == 0)
        return {};
    return fmt::format("{} GPU{}{}",
                       human_count(static_cast<std::int64_t>(box.gpus)),
                       box.gpus == 1 ? "" : "s",
                       box.count == 1 ? "" : " each");
}

void add_box(const OutlineBox& box, const std::string& indent, std::vector<TreeLine>& lines) {
    const std::size_t parts = box.rows.size() + box.inside.size();
    std::size_t part = 0;
    const auto branch = [&] { return ++part == parts ? "`- " : "|- "; };
    for (const OutlineRow& row : box.rows) {
        const std::string stem = indent + branch();
        const std::string below = indent + (part == parts ? "   " : "|  ");
        std::string left = stem + counted(row.count, row.word);
        if (row.word != device_kind_names[static_cast<std::size_t>(row.kind)])
            left += fmt::format(" ({})", device_kind_names[static_cast<std::size_t>(row.kind)]);
        for (const OutlineLink& link : row.links) {
            lines.push_back({left, link_text(link)});
            left = below;
        }
        if (row.links.empty())
            lines.push_back({left, {}});
    }
    for (const OutlineBox& inner : box.inside) {
        const std::string stem = indent + branch();
        lines.push_back({stem + counted(inner.count, inner.word), gpus_in(inner)});
        add_box(inner, indent + (part == parts ? "   " : "|  "), lines);
    }
}

} // namespace

std::string rate_text(ByteRate rate) {
    const ShownUnit unit = shown_unit("B/s", rate.count());
    return fmt::format("{} {}", human_number(rate.count() / unit.factor), unit.name);
}

std::string oversubscription_text(double oversubscription) {
    return human_number(oversubscription) + ":1";
}

std::string latency_text(Seconds latency) {
    return human_number(latency.count() * 1e6) + " us";
}

std::string link_text(const OutlineLink& link) {
    return fmt::format("{}{} to {}{}",
                       link.each == 1 ? "" : fmt::format("{} x ", link.each),
                       rate_text(link.bandwidth),
                       link.to_peers ? fmt::format("{} beside it", link.to) : link.to,
                       link.latency ? ", " + latency_text(*link.latency) : "");
}

ReportTable level_table(const FabricDrawing& drawing) {
    ReportTable table{"levels",
                      "Locality levels",
                      {{"level", "level", ""},
                       {"groups", "groups", ""},
                       {"gpus", "GPUs in largest", ""},
                       {"medium", "joined by", ""},
                       {"pair", "one pair alone", "B/s"},
                       {"bisection", "bisection, per GPU", "B/s"},
                       {"bisection_by", "found by", ""},
                       {"oversubscription", "oversubscribed", ""},
                       {"latency", "latency", "s"}},
                      {}};
    for (std::size_t l = 0; l < drawing.rates.size(); ++l) {
        const LocalityLevel& level = drawing.locality.levels[l];
        const LevelRates& rates = drawing.rates[l];
        table.rows.push_back(
            {fmt::format("{}", fmt::join(level.names, ", ")),
             static_cast<std::int64_t>(level.num_groups()),
             level.max_gpus,
             level.max_gpus > 1
                 ? Cell{std::string{medium_names[static_cast<std::size_t>(level.medium)]}}
                 : Cell{not_known},
             known(rates.pair.count()),
             known(rates.bisection.count()),
             std::string{rates.method == BisectionMethod::max_flow ? "maximum flow"
                                                                   : "sampled pair"},
             rates.oversubscription ? Cell{oversubscription_text(*rates.oversubscription)}
                                    : Cell{not_known},
             rates.latency ? rates.latency->count() : not_known});
    }
    return table;
}

void put_fabric_tree(const FabricDrawing& drawing, TextSink& sink) {
    std::vector<TreeLine> lines{{drawing.outline.word,
                                 human_count(static_cast<std::int64_t>(drawing.outline.gpus)) +
                                     (drawing.gpu.empty() ? " GPUs" : " " + drawing.gpu)}};
    add_box(drawing.outline, "", lines);
    std::size_t width = 0;
    for (const TreeLine& line : lines)
        width = std::max(width, line.left.size());
    for (const TreeLine& line : lines) {
        sink.put(terminal_text(line.left));
        if (!line.right.empty()) {
            sink.put(std::string(width + 3 - line.left.size(), ' '));
            sink.put(terminal_text(line.right));
        }
        sink.put("\n");
    }
}

}} // namespace bursar::reports
