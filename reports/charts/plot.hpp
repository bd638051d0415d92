#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/charts/axis.hpp"
#include "reports/charts/svg_writer.hpp"
#include "reports/document/document.hpp"

namespace bursar { inline namespace reports {

/// Width of every chart: legible on the narrowest screens, and two fit side by side on wide ones.
inline constexpr double chart_width = 420;

/// The meaning of a colour or a dash.
struct LegendEntry {
    std::string label;
    std::string colour; ///< class of the style sheet: a leaf group, a state, "s0" to "s5"
    bool is_line{};
};

/// A line across a chart at a value of one of its axes, such as a goal.
struct ChartGuide {
    double at{};
    std::string label;
};

/// Whether a guide is near enough to values of at most `farthest` from 0 to be drawn with them: a
/// chart that it would make more than three times as large shows it in a note instead.
[[nodiscard]] constexpr bool is_near(double guide, double farthest) {
    return (guide < 0 ? -guide : guide) <= 3 * farthest;
}

/// Two axes with a legend above them; converts values to positions.
class Plot {
  public:
    /// Opens the drawing and draws axes and legend. height: of the part between the axes.
    Plot(const ChartTitle& title,
         Axis x,
         Axis y,
         const std::vector<LegendEntry>& legend,
         double height,
         TextSink& sink);

    [[nodiscard]] double x(double value) const { return left_ + x_.share(value) * width_; }
    [[nodiscard]] double y(double value) const { return top_ + (1 - y_.share(value)) * height_; }
    [[nodiscard]] double left() const { return left_; }
    [[nodiscard]] double right() const { return left_ + width_; }
    [[nodiscard]] double top() const { return top_; }
    [[nodiscard]] double bottom() const { return top_ + height_; }
    SvgWriter& svg() { return svg_; }
    void end() { svg_.end(); }

  private:
    void put_axes();

    Axis x_, y_;
    double top_, left_, width_, height_;
    SvgWriter svg_;
};

/// The number of rows of a legend, and the legend itself from `y` down.
[[nodiscard]] std::size_t legend_rows(const std::vector<LegendEntry>& legend);
void put_legend(SvgWriter& svg, const std::vector<LegendEntry>& legend, double y);
inline constexpr double legend_row = 19;

/// The ticks of an axis below the line at `bottom`, from `left` over `width`, and its title. A tick
/// whose text would overlap the previous one is left out. room: width of the drawing.
void put_marks_below(SvgWriter& svg,
                     const Axis& axis,
                     double left,
                     double width,
                     double bottom,
                     double room = chart_width);

}} // namespace bursar::reports
