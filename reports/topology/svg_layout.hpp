#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/topology/fabric_outline.hpp"

namespace bursar { inline namespace reports {

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

/// Boxes below each other, narrower the deeper they are, around one column of glyphs: switches of
/// the network on top, NVLink switches below the GPUs. outline: outlives the answer. top: room left
/// above.
[[nodiscard]] DrawnFabric lay_out(const OutlineBox& outline, double top);

/// The row that a link of `from` leads to: in its own box or the next one outward that has it; null
/// where the outline shows none.
[[nodiscard]] const DrawnRow*
link_target(const DrawnFabric& drawn, const DrawnRow& from, const OutlineLink& link);

}} // namespace bursar::reports
