#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// A rectangle; pixels from the upper left.
struct SvgBox {
    double x{}, y{}, width{}, height{};
};

/// The alignment of a text at its x.
enum class SvgAnchor : std::uint8_t { start, middle, end };

/// The outline of a shape, made of lines.
class SvgPath {
  public:
    SvgPath& move_to(double x, double y);
    SvgPath& line_to(double x, double y);
    SvgPath& across_to(double x);
    SvgPath& down_to(double y);
    /// A curve that leaves and arrives horizontally.
    SvgPath& flow_to(double x, double y);
    SvgPath& close();
    /// A line of length 0: a dot as wide as the stroke, if that has round ends.
    SvgPath& dot(double x, double y);

    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    void add(char command, double a);
    void add(char command, double a, double b);

    std::string text_;
    double x_{}, y_{};
};

/// Name and size of a drawing.
struct SvgTitle {
    std::string_view id{};  ///< of an SVG inside a page, unique there; empty: a separate file
    std::string_view title; ///< for screen readers
    std::string_view description{}; ///< likewise; may be empty
    double width{}, height{};
};

/// The one writer of SVG: a document, or a part of a page of HTML. Colours and fonts come from the
/// classes of its elements; texts are escaped here, those of others with control characters and
/// marks of direction made visible. It needs no font, script or style from outside.
class SvgWriter {
  public:
    /// Opens the drawing; one that is to be small on narrow screens scales with its page.
    SvgWriter(const SvgTitle& title, TextSink& sink);

    /// Style rules for its classes, for a separate file.
    void style(std::string_view rules);
    /// The background of a separate file.
    void ground(std::string_view colour);
    void rect(const SvgBox& box, std::string_view classes, double radius = 0);
    /// Text that appears under the pointer, for a shape without a label.
    void rect_with_tip(const SvgBox& box, std::string_view classes, std::string_view tip);
    void line(double x1, double y1, double x2, double y2, std::string_view classes);
    void path(const SvgPath& path, std::string_view classes, std::string_view tip = {});
    void circle(double x, double y, double radius, std::string_view classes, std::string_view tip);
    void text(double x,
              double y,
              std::string_view text,
              std::string_view classes = {},
              SvgAnchor anchor = SvgAnchor::start);
    /// Closes it. Nothing may be drawn after.
    void end();

  private:
    void tip(std::string_view text, std::string_view element);

    TextSink& sink_;
};

/// A coordinate to a tenth of a pixel, without a trailing zero.
[[nodiscard]] std::string svg_number(double value);

/// Approximate width of a text in pixels at a size of 12, rather too large.
[[nodiscard]] double svg_text_width(std::string_view text);

/// `text` cut to a width in pixels at a size of 12, with an ellipsis at its end if it was cut.
[[nodiscard]] std::string svg_cut(std::string_view text, double width);

}} // namespace bursar::reports
