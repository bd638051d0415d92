#include "reports/topology/svg_layout.hpp"

#include <algorithm>

namespace bursar { inline namespace reports {
namespace {

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

} // namespace

DrawnFabric lay_out(const OutlineBox& outline, double top) {
    return Layout{outline, top}.take();
}

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

}} // namespace bursar::reports
