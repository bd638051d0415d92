#include "reports/topology/topology_svg.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "reports/answer/human_number.hpp"
#include "reports/charts/svg_writer.hpp"
#include "reports/topology/svg_layout.hpp"
#include "reports/topology/topology_text.hpp"

namespace bursar { inline namespace reports {
namespace {

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
