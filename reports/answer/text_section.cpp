#include "reports/answer/text_section.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "reports/answer/human_number.hpp"
#include "reports/answer/text_column.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/text_lines.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t column_gap = 2;      ///< blanks between columns
constexpr std::size_t min_note_width = 24; ///< else a note stands below its value

struct Line {
    std::string label;
    CellText cell;
    std::string note;
    bool numeric{}; ///< else the cell is text and runs on into the note
};

struct Widths {
    std::size_t label{};
    std::size_t value{}; ///< of the numbers
    std::size_t unit{};

    [[nodiscard]] std::size_t value_from() const { return indent.size() + label + column_gap; }
    [[nodiscard]] std::size_t note_from() const {
        return value_from() + value + (unit > 0 ? 1 + unit : 0) + column_gap;
    }
};

/// Shows the doubles of a section in one multiple of their unit, with their shares of the sum.
void show_as_parts(const AnswerSection& section, std::vector<Line>& lines) {
    double sum = 0;
    double max = 0;
    for (const AnswerValue& value : section.values) {
        sum += std::get<double>(value.value);
        max = std::max(max, std::abs(std::get<double>(value.value)));
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const double value = std::get<double>(section.values[i].value);
        const ShownUnit shown = shown_unit(section.values[i].unit, max);
        lines[i].cell = {human_number(value / shown.factor), std::string{shown.name}};
        if (sum > 0)
            lines[i].cell.unit += fmt::format("  {:5.1f} %", 100 * value / sum);
    }
}

std::vector<Line> lines_of(const AnswerSection& section) {
    std::vector<Line> lines;
    for (const AnswerValue& value : section.values)
        lines.push_back({terminal_text(value.label),
                         cell_text(value.value, value.unit),
                         terminal_text(value.note),
                         !std::holds_alternative<std::string>(value.value)});
    if (section.parts_of_sum)
        show_as_parts(section, lines);
    return lines;
}

Widths widths_of(const std::vector<Line>& lines, std::size_t width) {
    Widths widths;
    for (const Line& line : lines) {
        widths.label = std::max(widths.label, display_width(line.label));
        if (!line.numeric)
            continue;
        widths.value = std::max(widths.value, display_width(line.cell.value));
        widths.unit = std::max(widths.unit, display_width(line.cell.unit));
    }
    widths.label = std::min(widths.label, width / 2);
    return widths;
}

void put_number(const Line& line, const Widths& widths, std::size_t width, TextSink& sink) {
    std::string text{indent};
    text += left_aligned(cut_to_width(line.label, widths.label), widths.label + column_gap);
    text += right_aligned(line.cell.value, widths.value) + ' ' + line.cell.unit;
    if (widths.note_from() + min_note_width <= width)
        return put_hanging(sink, text, line.note, widths.note_from(), width);
    put_line(sink, text);
    if (!line.note.empty())
        put_hanging(sink, {}, line.note, 2 * indent.size(), width);
}

void put_words(const Line& line, const Widths& widths, std::size_t width, TextSink& sink) {
    std::string text{indent};
    text += cut_to_width(line.label, widths.label);
    const std::string words =
        line.note.empty() ? line.cell.value : line.cell.value + " (" + line.note + ")";
    put_hanging(sink, text, words, widths.value_from(), width);
}

} // namespace

void put_section(const AnswerSection& section, std::size_t width, TextSink& sink) {
    put_heading(sink, section.title);
    const std::vector<Line> lines = lines_of(section);
    const Widths widths = widths_of(lines, width);
    for (const Line& line : lines)
        line.numeric ? put_number(line, widths, width, sink) : put_words(line, widths, width, sink);
}

}} // namespace bursar::reports
