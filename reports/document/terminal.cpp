#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "reports/document/render.hpp"
#include "reports/document/shown_cells.hpp"
#include "reports/document/terminal_parts.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/human_number.hpp"
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
void show_as_parts(const Facts& facts, std::vector<Line>& lines) {
    double sum = 0;
    double max = 0;
    for (const Fact& fact : facts.values) {
        sum += std::get<double>(fact.value);
        max = std::max(max, std::abs(std::get<double>(fact.value)));
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const double value = std::get<double>(facts.values[i].value);
        const ShownUnit shown = shown_unit(facts.values[i].unit, max);
        lines[i].cell = {human_number(value / shown.factor), std::string{shown.name}};
        if (sum > 0)
            lines[i].cell.unit += fmt::format("  {:5.1f} %", 100 * value / sum);
    }
}

std::vector<Line> lines_of(const Facts& facts) {
    std::vector<Line> lines;
    for (const Fact& fact : facts.values)
        lines.push_back({terminal_text(fact.label),
                         cell_text(fact.value, fact.unit),
                         terminal_text(fact.note),
                         !std::holds_alternative<std::string>(fact.value)});
    if (facts.parts_of_sum)
        show_as_parts(facts, lines);
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

void put_sources(const Document& document, std::size_t width, TextSink& sink) {
    if (document.sources.empty())
        return;
    sink.put("\nSources\n");
    for (const std::string& source : document.sources)
        put_hanging(sink, "  -", terminal_text(source), 4, width);
}

} // namespace

void put_terminal_facts(const Facts& facts, std::size_t width, TextSink& sink) {
    put_heading(sink, facts.title);
    const std::vector<Line> lines = lines_of(facts);
    const Widths widths = widths_of(lines, width);
    for (const Line& line : lines)
        line.numeric ? put_number(line, widths, width, sink) : put_words(line, widths, width, sink);
}

void put_terminal_lines(const Lines& lines, std::size_t width, TextSink& sink) {
    put_heading(sink, lines.title);
    for (const std::string& line : lines.lines)
        put_hanging(sink, "", terminal_text(line), indent.size(), width);
}

void render_terminal(const Document& document, std::size_t width, TextSink& sink) {
    for (const std::string& text : {document.title, document.headline})
        if (!text.empty())
            put_hanging(sink, {}, terminal_text(text), 0, width);
    bool is_first = document.title.empty() && document.headline.empty();
    for (const Document::Block& block : document.blocks) {
        if (std::holds_alternative<FigureSection>(block))
            continue;
        const auto* lines = std::get_if<Lines>(&block);
        if (!is_first && (lines == nullptr || !lines->title.empty()))
            sink.put('\n');
        is_first = false;
        if (lines != nullptr)
            put_terminal_lines(*lines, width, sink);
        else if (const auto* facts = std::get_if<Facts>(&block))
            put_terminal_facts(*facts, width, sink);
        else
            put_terminal_table(std::get<ReportTable>(block), width, sink);
    }
    put_sources(document, width, sink);
}

std::optional<AnswerFormat> find_answer_format(std::string_view name) {
    const auto* found = std::ranges::find(answer_format_names, name);
    if (found == answer_format_names.end())
        return std::nullopt;
    return static_cast<AnswerFormat>(found - answer_format_names.begin());
}

std::string render(const Document& document, AnswerFormat format, std::size_t width) {
    assert(width >= 40);
    StringSink sink;
    switch (format) {
    case AnswerFormat::table:
        render_terminal(document, width, sink);
        break;
    case AnswerFormat::json:
        render_json(document, sink);
        break;
    case AnswerFormat::csv:
        render_csv(document, sink);
        break;
    }
    return sink.text();
}

}} // namespace bursar::reports
