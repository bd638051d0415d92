#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "reports/document/render.hpp"
#include "reports/document/shown_cells.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/human_number.hpp"
#include "reports/text/text_lines.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t column_gap = 2;      ///< blanks between columns: one would part words
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

constexpr std::size_t min_text_width = 16; ///< a column of text is never squeezed below this
constexpr std::size_t max_whole_word = 32; ///< longest word, in columns, that is never broken

/// A column that a terminal shows.
struct Shown {
    const ReportColumn* column{};
    TextColumn text;
    std::size_t least{}; ///< columns that it needs
};

/// How narrow a column of text may be: names in it stay whole.
std::size_t narrowest(const TextColumn& column, std::size_t least) {
    std::size_t narrowest = least;
    for (const std::string& cell : column.cells)
        for (std::size_t at = 0; at < cell.size();) {
            const std::size_t end = std::min(cell.find(' ', at), cell.size());
            narrowest = std::max(narrowest, display_width(cell.substr(at, end - at)));
            at = end + 1;
        }
    return std::min(narrowest, std::max(least, max_whole_word));
}

/// The columns that people read. The first keeps a quarter of the terminal: it names the rows.
std::vector<Shown> columns_of(const ReportTable& table, std::size_t width) {
    std::vector<Shown> columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i].for_programs)
            continue;
        const std::size_t least =
            columns.empty() ? std::max(min_text_width, width / 4) : min_text_width;
        Shown shown{&table.columns[i], text_column(table, i), 0};
        shown.least = shown.text.is_words ? std::min(shown.text.width, narrowest(shown.text, least))
                                          : shown.text.width;
        columns.push_back(std::move(shown));
    }
    return columns;
}

std::size_t least_width(const std::vector<Shown>& columns) {
    std::size_t total = 0;
    for (const Shown& shown : columns)
        total += column_gap + shown.least;
    return total;
}

std::size_t total_width(const std::vector<Shown>& columns) {
    std::size_t total = 0;
    for (const Shown& shown : columns)
        total += column_gap + shown.text.width;
    return total;
}

/// Takes out columns that may be omitted while the rest is too wide; returns their labels.
std::string take_omitted(std::vector<Shown>& columns, std::size_t width) {
    std::string omitted;
    while (least_width(columns) > width) {
        auto first = columns.end();
        for (auto one = columns.begin(); one != columns.end(); ++one)
            if (one->column->omit > 0 &&
                (first == columns.end() || one->column->omit < first->column->omit))
                first = one;
        if (first == columns.end())
            break;
        omitted += (omitted.empty() ? "" : ", ") + terminal_text(first->column->label);
        columns.erase(first);
    }
    return omitted;
}

/// Takes out the columns for programs and people without a unit in which every row says the same;
/// returns what they say: "context 1, format bf16".
std::string take_equal(std::vector<Shown>& columns) {
    std::string said;
    std::vector<Shown> kept;
    for (Shown& shown : columns) {
        const std::vector<std::string>& cells = shown.text.cells;
        if (kept.empty() || shown.column->key.empty() || !shown.column->unit.empty() ||
            cells.size() < 2 ||
            std::ranges::adjacent_find(cells, std::ranges::not_equal_to{}) != cells.end()) {
            kept.push_back(std::move(shown));
            continue;
        }
        said += said.empty() ? "" : ", ";
        said += terminal_text(shown.column->label) + ' ' + cells.front();
    }
    columns = std::move(kept);
    return said;
}

/// The columns behind the first in as few groups as fit on a line, each behind the first again.
std::vector<std::vector<Shown>> groups_of(const std::vector<Shown>& columns, std::size_t width) {
    if (columns.size() < 2 || least_width(columns) <= width)
        return {columns};
    std::vector<std::vector<Shown>> groups;
    for (std::size_t i = 1; i < columns.size();) {
        std::vector<Shown> next{columns[i++]};
        while (i < columns.size() && columns[i].column->with_previous)
            next.push_back(columns[i++]);
        if (groups.empty() || least_width(groups.back()) + least_width(next) > width)
            groups.push_back({columns.front()});
        groups.back().insert(groups.back().end(), next.begin(), next.end());
    }
    return groups;
}

/// Narrows columns of text, always the widest, until the table fits, as far as that goes.
void squeeze(std::vector<Shown>& columns, std::size_t width) {
    for (Shown& shown : columns)
        if (shown.text.is_words)
            shown.text.width = std::min(shown.text.width, std::max(width, shown.least));
    for (std::size_t total = total_width(columns); total > width; --total) {
        Shown* widest = nullptr;
        for (Shown& shown : columns)
            if (shown.text.width > shown.least &&
                (widest == nullptr || shown.text.width > widest->text.width))
                widest = &shown;
        if (widest == nullptr)
            return;
        --widest->text.width;
    }
}

/// A cell of words on as many lines as it takes, each with the blanks that it begins with.
GridCell wrapped_cell(const std::string& text, std::size_t width) {
    if (display_width(text) <= width)
        return {text};
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    if (blanks == 0 || blanks + 2 > width)
        return wrapped(text, width);
    GridCell lines = wrapped(text, width - blanks);
    for (std::string& line : lines)
        line.insert(0, blanks, ' ');
    return lines;
}

void put_columns(std::vector<Shown> columns,
                 const std::vector<ReportRow>& rows,
                 std::size_t width,
                 Colour colour,
                 TextSink& sink) {
    constexpr std::size_t least_name = 8;
    if (const std::size_t total = least_width(columns); total > width)
        if (Shown& name = columns.front(); name.text.is_words) // its words may break, then
            name.least = std::max(std::min(name.least, least_name),
                                  name.least - std::min(name.least, total - width));
    squeeze(columns, width);
    std::vector<GridColumn> grid;
    std::vector<GridCell> cells;
    for (const Shown& shown : columns) {
        grid.push_back({shown.text.width, shown.text.is_words, column_gap});
        cells.push_back(shown.text.header);
    }
    const bool has_header = std::ranges::any_of(
        cells, [](const GridCell& cell) { return !cell.empty() && !cell.back().empty(); });
    const auto put_row = [&](bool is_strong, GridSide side) {
        const bool is_bold = is_strong && colour == Colour::always;
        sink.put(is_bold ? bold_on : "");
        put_grid_row(sink, grid, cells, side);
        sink.put(is_bold ? bold_off : "");
    };
    if (has_header)
        put_row(true, GridSide::bottom);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const bool is_sum = rows[row].kind == RowKind::sum;
        if (is_sum && row > 0 && rows[row - 1].kind != RowKind::sum)
            put_line(sink, std::string{indent} + std::string(width_of(grid) - indent.size(), '-'));
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const TextColumn& text = columns[i].text;
            cells[i] = text.is_words ? wrapped_cell(text.cells[row], text.width)
                                     : GridCell{text.cells[row]};
        }
        put_row(is_sum, GridSide::top);
    }
}

/// The title, the labels of the columns over as many lines as they need, the rows, the note. Where
/// the table does not fit, these steps follow until it does: columns of text are squeezed and their
/// cells wrapped; columns that may be are omitted; those that say the same in all rows are said
/// once above it; what is left is parted into several tables, each behind the first column.
void put_terminal_table(const ReportTable& table,
                        std::size_t width,
                        Colour colour,
                        TextSink& sink) {
    if (!table.title.empty())
        put_hanging(sink, "", terminal_text(table.title), 0, width);
    std::vector<Shown> columns = columns_of(table, width);
    const auto put_note = [&](const std::string& before, const std::string& text) {
        if (!text.empty())
            put_hanging(sink, "", before + text, indent.size(), width);
    };
    put_note("omitted (too narrow): ", take_omitted(columns, width));
    if (total_width(columns) > width)
        put_note("all rows: ", take_equal(columns));
    bool is_first = true;
    for (std::vector<Shown>& group : groups_of(columns, width)) {
        if (!is_first)
            sink.put('\n');
        is_first = false;
        put_columns(std::move(group), table.rows, width, colour, sink);
    }
    put_note("", terminal_text(table.note));
}

/// The title, then label, number, unit and note in columns.
void put_terminal_facts(const Facts& facts, std::size_t width, TextSink& sink) {
    put_heading(sink, facts.title);
    const std::vector<Line> lines = lines_of(facts);
    const Widths widths = widths_of(lines, width);
    for (const Line& line : lines)
        line.numeric ? put_number(line, widths, width, sink) : put_words(line, widths, width, sink);
}

void put_terminal_lines(const Lines& lines, std::size_t width, TextSink& sink) {
    put_heading(sink, lines.title);
    for (const std::string& line : lines.lines) {
        std::size_t blanks = indent.size(); // further lines of a sentence are indented twice
        for (const std::string& part : wrapped(terminal_text(line), width - 2 * indent.size())) {
            put_line(sink, std::string(blanks, ' ') + part);
            blanks = 2 * indent.size();
        }
    }
}

} // namespace

void render_terminal(const Document& document, std::size_t width, TextSink& sink, Colour colour) {
    width = std::max(width, min_terminal_width);
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
            put_terminal_table(std::get<ReportTable>(block), width, colour, sink);
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
