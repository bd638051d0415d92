#include "reports/topology/topology_svg.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "reports/charts/svg_writer.hpp"
#include "reports/text/human_number.hpp"
#include "reports/topology/fabric_outline.hpp"
#include "reports/topology/topology_text.hpp"

namespace bursar { inline namespace reports {
namespace {

/// One row of devices of a drawing: as many glyphs as are drawn, and where.
struct DrawnRow {
    const OutlineRow* row{};
    std::size_t box{};      ///< of DrawnFabric::boxes
    double y{};             ///< top of its glyphs
    std::vector<double> xs; ///< left edges; where some are left out, dots stand before the last
    bool has_dots{};
};

/// One box of a drawing.
struct DrawnBox {
    const OutlineBox* box{};
    std::size_t around{}; ///< number of the box around it; its own for the outermost
    double x{};
    double y{};
    double width{};
    double height{};
};

/// Where everything of a drawing stands; pixels.
struct DrawnFabric {
    static constexpr double glyph_width = 34;
    static constexpr double glyph_height = 20;
    static constexpr double link_line = 15; ///< from one line of link text to the next

    std::vector<DrawnBox> boxes; ///< outer ones first
    std::vector<DrawnRow> rows;
    double label_x{}; ///< where the names of rows begin
    double links_x{}; ///< where the texts of links begin
    double width{};
    double height{};
};

constexpr double padding = 16;
constexpr double header = 24;  ///< of a box: its name
constexpr double stack = 4;    ///< how far a box behind another one sticks out
constexpr double row_gap = 26; ///< room for links between rows
constexpr double label_room = 150;
constexpr double link_room = 250;
constexpr double glyph_gap = 12;
constexpr std::size_t max_glyphs = 8;

/// Depth of the nesting, 1 for a box without boxes.
std::size_t depth_of(const OutlineBox& box) {
    std::size_t depth = 0;
    for (const OutlineBox& inner : box.inside)
        depth = std::max(depth, depth_of(inner));
    return depth + 1;
}

bool stands_below(const OutlineRow& row) {
    return row.kind == DeviceKind::nvswitch;
}

class Layout {
  public:
    Layout(const OutlineBox& outline, double top) : top_{top}, depth_{depth_of(outline)} {
        constexpr double glyph_room = max_glyphs * (DrawnFabric::glyph_width + glyph_gap);
        const double margin = static_cast<double>(depth_) * (padding + 2 * stack);
        out_.label_x = margin + padding;
        glyphs_x_ = out_.label_x + label_room;
        out_.links_x = glyphs_x_ + glyph_room + padding;
        out_.width = out_.links_x + link_room + margin;
        const double bottom = place(outline, 0, 1, top_);
        out_.height = bottom + padding;
    }

    [[nodiscard]] DrawnFabric take() { return std::move(out_); }

  private:
    /// Places a box of that depth of nesting from `y` down; its lower edge.
    double place(const OutlineBox& box, std::size_t around, std::size_t depth, double y) {
        const std::size_t number = out_.boxes.size();
        const double x = static_cast<double>(depth) * (padding + 2 * stack) - padding;
        out_.boxes.push_back({&box, around, x, y, out_.width - 2 * x, 0});
        double at = y + header + padding;
        for (const OutlineRow& row : box.rows)
            if (!stands_below(row) && row.kind != DeviceKind::gpu)
                at = place_row(row, number, at);
        for (const OutlineRow& row : box.rows)
            if (row.kind == DeviceKind::gpu)
                at = place_row(row, number, at);
        for (const OutlineBox& inner : box.inside)
            at = place(inner, number, depth + 1, at) + padding + 2 * stack;
        for (const OutlineRow& row : box.rows)
            if (stands_below(row))
                at = place_row(row, number, at + (box.inside.empty() ? 0 : row_gap / 2));
        const double bottom = at - (box.inside.empty() ? row_gap - padding : 0);
        out_.boxes[number].height = bottom - y;
        return bottom;
    }

    double place_row(const OutlineRow& row, std::size_t box, double y) {
        DrawnRow drawn{&row, box, y, {}, row.count > max_glyphs};
        const std::size_t slots = std::min(row.count, max_glyphs);
        const double step = DrawnFabric::glyph_width + glyph_gap;
        const double first =
            glyphs_x_ + step * static_cast<double>(max_glyphs - slots) / 2 + glyph_gap / 2;
        for (std::size_t slot = 0; slot < slots; ++slot)
            if (!drawn.has_dots || slot != slots - 2)
                drawn.xs.push_back(first + step * static_cast<double>(slot));
        out_.rows.push_back(std::move(drawn));
        const double texts = DrawnFabric::link_line * static_cast<double>(row.links.size());
        return y + std::max(DrawnFabric::glyph_height + row_gap, texts + 8);
    }

    double top_;
    std::size_t depth_;
    double glyphs_x_{};
    DrawnFabric out_;
};

/// Boxes below each other, narrower the deeper they are, around one column of glyphs: switches of
/// the network on top, NVLink switches below the GPUs. outline: outlives the answer. top: room left
/// above.
DrawnFabric lay_out(const OutlineBox& outline, double top) {
    return Layout{outline, top}.take();
}

/// The row that a link of `from` leads to: in its own box or the next one outward that has it; null
/// where the outline shows none.
const DrawnRow*
link_target(const DrawnFabric& drawn, const DrawnRow& from, const OutlineLink& link) {
    for (std::size_t box = from.box;; box = drawn.boxes[box].around) {
        for (const DrawnRow& row : drawn.rows)
            if (row.box == box && row.row->word == link.to && &row != &from)
                return &row;
        if (box == drawn.boxes[box].around)
            return nullptr;
    }
}

constexpr double title_room = 66;

/// Classes of kinds, in the order of DeviceKind.
constexpr std::array<std::string_view, num_device_kinds> kind_classes{
    "k0", "k1", "k2", "k3", "k4", "k5"};

constexpr std::string_view style =
    R"(text { font: 12px system-ui, "Helvetica Neue", Arial, sans-serif; fill: #1f2933 }
.title { font-size: 17px; font-weight: 600 }
.name { font-weight: 600; font-size: 13px }
.quiet { fill: #52606d }
.name, .quiet { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round }
.box { fill: #ffffff; stroke: #9aa5b1 }
.behind { fill: #f5f7fa; stroke: #cbd2d9 }
.link { stroke: #9aa5b1; stroke-width: 1 }
.k0 { fill: #4c9f38 } .k1 { fill: #1b7f79 } .k2 { fill: #8a8f98 }
.k3 { fill: #6b7280 } .k4 { fill: #d98a1f } .k5 { fill: #2f6fb3 }
)";

/// Draws what a layout has placed.
class SvgDrawing {
  public:
    SvgDrawing(const FabricDrawing& drawing, TextSink& sink)
        : drawing_{drawing}, drawn_{lay_out(drawing.outline, title_room)},
          svg_{{.title = drawing.title, .width = drawn_.width, .height = drawn_.height}, sink} {}

    void put() {
        svg_.style(style);
        svg_.ground("#ffffff");
        put_title();
        for (const DrawnBox& box : drawn_.boxes)
            put_box(box);
        for (const DrawnRow& row : drawn_.rows)
            put_links(row);
        for (const DrawnBox& box : drawn_.boxes)
            put_header(box);
        for (const DrawnRow& row : drawn_.rows)
            put_row(row);
        svg_.end();
    }

  private:
    void put_title() {
        constexpr double x = 16;
        svg_.text(x, 28, drawing_.title, "title");
        const auto count = [](std::size_t number) {
            return human_count(static_cast<std::int64_t>(number));
        };
        svg_.text(x,
                  48,
                  fmt::format("{} GPUs{}, {} devices, {} links; identical parts are drawn once",
                              count(drawing_.outline.gpus),
                              drawing_.gpu.empty() ? "" : " " + drawing_.gpu,
                              count(drawing_.num_devices),
                              count(drawing_.num_links)),
                  "quiet");
    }

    void put_box(const DrawnBox& drawn) {
        const OutlineBox& box = *drawn.box;
        for (double behind = box.count > 2 ? 8 : box.count > 1 ? 4 : 0; behind > 0; behind -= 4)
            put_rect(drawn, behind, "behind");
        put_rect(drawn, 0, "box");
    }

    /// In front of the links, which cross it.
    void put_header(const DrawnBox& drawn) {
        const OutlineBox& box = *drawn.box;
        svg_.text(drawn.x + 12,
                  drawn.y + 19,
                  box.count == 1 ? box.word
                                 : fmt::format("{} × {}",
                                               human_count(static_cast<std::int64_t>(box.count)),
                                               box.word),
                  "name");
        if (const std::string facts = level_facts(drawn); !facts.empty())
            svg_.text(drawn.x + drawn.width - 12, drawn.y + 19, facts, "quiet", SvgAnchor::end);
    }

    void put_rect(const DrawnBox& box, double shift, std::string_view kind) {
        svg_.rect({box.x + shift, box.y + shift, box.width, box.height}, kind, 7);
    }

    /// What the links give at the level that a box is a group of; nothing where the box around it
    /// holds the same GPUs.
    [[nodiscard]] std::string level_facts(const DrawnBox& drawn) const {
        const std::size_t level = drawing_.locality.find(drawn.box->word);
        if (level == drawing_.rates.size())
            return {};
        const DrawnBox& around = drawn_.boxes[drawn.around];
        if (&around != &drawn && drawing_.locality.find(around.box->word) == level)
            return {};
        const LevelRates& rates = drawing_.rates[level];
        std::string facts = fmt::format("{} GPU{}",
                                        human_count(static_cast<std::int64_t>(drawn.box->gpus)),
                                        drawn.box->gpus == 1 ? "" : "s");
        if (rates.pair.count() == 0)
            return facts;
        facts += fmt::format(" · one pair {} · bisection {} per GPU",
                             rate_text(rates.pair),
                             rate_text(rates.bisection));
        if (rates.oversubscription)
            facts += " · " + oversubscription_text(*rates.oversubscription);
        return rates.latency ? facts + " · " + latency_text(*rates.latency) : facts;
    }

    void put_row(const DrawnRow& drawn) {
        const OutlineRow& row = *drawn.row;
        const double middle = drawn.y + DrawnFabric::glyph_height / 2 + 4;
        const std::string_view kind = device_kind_names[static_cast<std::size_t>(row.kind)];
        svg_.text(drawn_.label_x,
                  middle,
                  fmt::format("{} {}{}",
                              human_count(static_cast<std::int64_t>(row.count)),
                              row.word,
                              row.word == kind ? "" : fmt::format(" ({})", kind)),
                  "");
        for (const double x : drawn.xs)
            svg_.rect({x, drawn.y, DrawnFabric::glyph_width, DrawnFabric::glyph_height},
                      kind_classes[static_cast<std::size_t>(row.kind)],
                      4);
        if (drawn.has_dots)
            svg_.text(drawn.xs.back() - DrawnFabric::glyph_width / 2 - 13, middle, "···", "name");
        double y = drawn.y + DrawnFabric::glyph_height / 2 + 4 -
                   DrawnFabric::link_line * (static_cast<double>(row.links.size()) - 1) / 2;
        for (const OutlineLink& link : row.links) {
            svg_.text(drawn_.links_x, y, link_text(link), "quiet");
            y += DrawnFabric::link_line;
        }
    }

    void put_links(const DrawnRow& from) {
        for (const OutlineLink& link : from.row->links) {
            const DrawnRow* to = link_target(drawn_, from, link);
            if (link.to_peers || to == nullptr)
                continue;
            const bool everywhere = link.each >= to->row->count;
            for (std::size_t i = 0; i < from.xs.size(); ++i) {
                if (!everywhere) { // by number, the last ones being the last
                    const bool last = i + 1 == from.xs.size() && from.has_dots == to->has_dots;
                    put_line(from, i, *to, last ? to->xs.size() - 1 : i % to->xs.size());
                    continue;
                }
                for (std::size_t j = 0; j < to->xs.size(); ++j)
                    put_line(from, i, *to, j);
            }
        }
    }

    void put_line(const DrawnRow& from, std::size_t i, const DrawnRow& to, std::size_t j) {
        const bool upward = to.y < from.y;
        const double edge = DrawnFabric::glyph_height;
        const double half = DrawnFabric::glyph_width / 2;
        svg_.line(from.xs[i] + half,
                  from.y + (upward ? 0 : edge),
                  to.xs[j] + half,
                  to.y + (upward ? edge : 0),
                  "link");
    }

    const FabricDrawing& drawing_;
    DrawnFabric drawn_;
    SvgWriter svg_;
};

} // namespace

void put_topology_svg(const FabricDrawing& drawing, TextSink& sink) {
    SvgDrawing{drawing, sink}.put();
}

}} // namespace bursar::reports
