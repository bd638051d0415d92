#include "reports/charts/svg_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr double column_width = 7.3; ///< of most letters and digits at a size of 12, in wide fonts

std::string class_attribute(std::string_view classes) {
    return classes.empty() ? "" : fmt::format(" class=\"{}\"", classes);
}

std::string escaped(std::string_view text) {
    return xml_text(terminal_text(valid_utf8(text)));
}

} // namespace

std::string svg_number(double value) {
    std::string text = fmt::format("{:.1f}", value);
    if (text.ends_with(".0"))
        text.resize(text.size() - 2);
    return text == "-0" ? "0" : text;
}

double svg_text_width(std::string_view text) {
    return column_width * static_cast<double>(display_width(text));
}

std::string svg_cut(std::string_view text, double width) {
    const std::string shown = terminal_text(valid_utf8(text));
    return cut_to_width(shown, static_cast<std::size_t>(std::max(1.0, width / column_width)));
}

SvgPath& SvgPath::move_to(double x, double y) {
    add('M', x, y);
    return *this;
}

SvgPath& SvgPath::line_to(double x, double y) {
    add('L', x, y);
    return *this;
}

SvgPath& SvgPath::across_to(double x) {
    add('H', x);
    x_ = x;
    return *this;
}

SvgPath& SvgPath::down_to(double y) {
    add('V', y);
    y_ = y;
    return *this;
}

SvgPath& SvgPath::flow_to(double x, double y) {
    const double middle = (x_ + x) / 2;
    text_ += fmt::format("C{} {} {} {} {} {}",
                         svg_number(middle),
                         svg_number(y_),
                         svg_number(middle),
                         svg_number(y),
                         svg_number(x),
                         svg_number(y));
    x_ = x;
    y_ = y;
    return *this;
}

SvgPath& SvgPath::dot(double x, double y) {
    add('M', x, y);
    text_ += "h0";
    return *this;
}

SvgPath& SvgPath::close() {
    text_ += 'Z';
    return *this;
}

void SvgPath::add(char command, double a) {
    text_ += command;
    text_ += svg_number(a);
}

void SvgPath::add(char command, double a, double b) {
    add(command, a);
    text_ += ' ';
    text_ += svg_number(b);
    x_ = a;
    y_ = b;
}

SvgWriter::SvgWriter(const SvgTitle& title, TextSink& sink) : sink_{sink} {
    const std::string width = svg_number(title.width);
    const std::string height = svg_number(title.height);
    if (title.id.empty()) {
        sink.put(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
                             "height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n<title>{2}"
                             "</title>\n",
                             width,
                             height,
                             escaped(title.title)));
        if (!title.description.empty())
            sink.put(fmt::format("<desc>{}</desc>\n", escaped(title.description)));
        return;
    }
    sink.put(fmt::format("<svg viewBox=\"0 0 {0} {1}\" role=\"img\" aria-labelledby=\"{2}-title "
                         "{2}-desc\">\n<title id=\"{2}-title\">{3}</title>\n<desc "
                         "id=\"{2}-desc\">{4}</desc>\n",
                         width,
                         height,
                         title.id,
                         escaped(title.title),
                         escaped(title.description)));
}

void SvgWriter::style(std::string_view rules) {
    sink_.put("<style>\n");
    sink_.put(rules);
    sink_.put("</style>\n");
}

void SvgWriter::ground(std::string_view colour) {
    sink_.put(fmt::format("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n", colour));
}

void SvgWriter::tip(std::string_view text, std::string_view element) {
    if (text.empty())
        sink_.put("/>\n");
    else
        sink_.put(fmt::format("><title>{}</title></{}>\n", escaped(text), element));
}

void SvgWriter::rect(const SvgBox& box, std::string_view classes, double radius) {
    sink_.put(fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}{}/>\n",
                          svg_number(box.x),
                          svg_number(box.y),
                          svg_number(box.width),
                          svg_number(box.height),
                          radius > 0 ? fmt::format(" rx=\"{}\"", svg_number(radius)) : "",
                          class_attribute(classes)));
}

void SvgWriter::rect_with_tip(const SvgBox& box, std::string_view classes, std::string_view text) {
    sink_.put(fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}",
                          svg_number(box.x),
                          svg_number(box.y),
                          svg_number(box.width),
                          svg_number(box.height),
                          class_attribute(classes)));
    tip(text, "rect");
}

void SvgWriter::line(double x1, double y1, double x2, double y2, std::string_view classes) {
    sink_.put(fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n",
                          svg_number(x1),
                          svg_number(y1),
                          svg_number(x2),
                          svg_number(y2),
                          class_attribute(classes)));
}

void SvgWriter::path(const SvgPath& path, std::string_view classes, std::string_view text) {
    sink_.put("<path");
    sink_.put(class_attribute(classes));
    sink_.put(" d=\"");
    sink_.put(path.text());
    sink_.put('"');
    tip(text, "path");
}

void SvgWriter::circle(
    double x, double y, double radius, std::string_view classes, std::string_view text) {
    sink_.put(fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}",
                          svg_number(x),
                          svg_number(y),
                          svg_number(radius),
                          class_attribute(classes)));
    tip(text, "circle");
}

void SvgWriter::text(
    double x, double y, std::string_view text, std::string_view classes, SvgAnchor anchor) {
    constexpr std::array<std::string_view, 3> anchors{
        "", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    sink_.put(fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n",
                          svg_number(x),
                          svg_number(y),
                          class_attribute(classes),
                          anchors[static_cast<std::size_t>(anchor)],
                          escaped(text)));
}

void SvgWriter::end() {
    sink_.put("</svg>\n");
}

}} // namespace bursar::reports
