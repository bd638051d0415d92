#include <algorithm>

#include "reports/answer/formats.hpp"
#include "reports/answer/text_column.hpp"
#include "reports/answer/wrap.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"

namespace bursar {
namespace {

constexpr std::string_view indent = "  ";
constexpr std::size_t gap = 2;               ///< blanks between columns
constexpr std::size_t least_text_width = 16; ///< a column of text is never squeezed below this
constexpr std::size_t least_note_width = 24; ///< else a note stands below its value

/// A line without blanks at its end.
void put_line(TextSink& sink, std::string_view line) {
    sink.put(line.substr(0, line.find_last_not_of(' ') + 1));
    sink.put('\n');
}

void put_heading(TextSink& sink, std::string_view title) {
    const std::string text = terminal_text(title);
    if (!text.empty())
        put_line(sink, text);
}

// Sections: label, value and note side by side.

struct ValueText {
    std::string label;
    std::string value;
    std::string note;
    bool numeric{};
};

std::vector<ValueText> value_texts(const AnswerSection& section) {
    std::vector<ValueText> texts;
    for (const AnswerValue& value : section.values)
        texts.push_back({terminal_text(value.label),
                         cell_text(value.value, value.unit),
                         terminal_text(value.note),
                         !std::holds_alternative<std::string>(value.value)});
    return texts;
}

/// Writes `text` behind `line` and on lines of their own from column `from` on.
void put_hanging(
    TextSink& sink, std::string line, std::string_view text, std::size_t from, std::size_t width) {
    for (const std::string& part : wrapped(text, width - from)) {
        put_line(sink, left_aligned(line, from) + part);
        line.clear();
    }
}

void put_section(const AnswerSection& section, std::size_t width, TextSink& sink) {
    put_heading(sink, section.title);
    const std::vector<ValueText> texts = value_texts(section);
    std::size_t label_width = 0;
    std::size_t value_width = 0;
    for (const ValueText& text : texts) {
        label_width = std::max(label_width, display_width(text.label));
        if (text.numeric)
            value_width = std::max(value_width, display_width(text.value));
    }
    label_width = std::min(label_width, width / 2);
    const std::size_t value_from = indent.size() + label_width + gap;
    for (const ValueText& text : texts) {
        std::string line{indent};
        line += left_aligned(cut_to_width(text.label, label_width), label_width + gap);
        if (!text.numeric) {
            const std::string all =
                text.note.empty() ? text.value : text.value + " (" + text.note + ")";
            put_hanging(sink, line, all, value_from, width);
            continue;
        }
        line += right_aligned(text.value, value_width);
        const std::size_t note_from = value_from + value_width + gap;
        if (note_from + least_note_width <= width) {
            put_hanging(sink, line, text.note, note_from, width);
        } else {
            put_line(sink, line);
            if (!text.note.empty())
                put_hanging(sink, {}, text.note, 2 * indent.size(), width);
        }
    }
}

// Tables.

std::size_t width_of(const std::vector<TextColumn>& columns) {
    std::size_t total = indent.size();
    for (const TextColumn& column : columns)
        total += column.width + gap;
    return total - gap;
}

/// Narrows the widest columns of text until the table fits, as far as that goes.
void squeeze(std::vector<TextColumn>& columns, std::size_t width) {
    while (width_of(columns) > width) {
        TextColumn* widest = nullptr;
        for (TextColumn& column : columns)
            if (!column.numeric && column.width > least_text_width &&
                (widest == nullptr || column.width > widest->width))
                widest = &column;
        if (widest == nullptr)
            return;
        const std::size_t excess = width_of(columns) - width;
        widest->width -= std::min(excess, widest->width - least_text_width);
    }
}

std::string aligned(const TextColumn& column, const std::string& text) {
    return column.numeric ? right_aligned(text, column.width) : left_aligned(text, column.width);
}

/// Writes cells of several lines each; missing lines are blank, below (or, for a header, above).
void put_cells(const std::vector<TextColumn>& columns,
               const std::vector<std::vector<std::string>>& cells,
               bool at_bottom,
               TextSink& sink) {
    std::size_t height = 0;
    for (const std::vector<std::string>& cell : cells)
        height = std::max(height, cell.size());
    for (std::size_t line = 0; line < height; ++line) {
        std::string text{indent};
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const std::size_t skipped = at_bottom ? height - cells[i].size() : 0;
            const std::size_t at = line - skipped;
            const bool blank = line < skipped || at >= cells[i].size();
            text += aligned(columns[i], blank ? std::string{} : cells[i][at]);
            text.append(gap, ' ');
        }
        put_line(sink, text);
    }
}

void put_table(const AnswerTable& table, std::size_t width, TextSink& sink) {
    put_heading(sink, table.title);
    std::vector<TextColumn> columns;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        columns.push_back(text_column(table, i));
    squeeze(columns, width);
    std::vector<std::vector<std::string>> cells;
    for (const TextColumn& column : columns)
        cells.push_back(column.header);
    put_cells(columns, cells, true, sink);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (std::size_t i = 0; i < columns.size(); ++i)
            cells[i] = columns[i].numeric ? std::vector{columns[i].cells[row]}
                                          : wrapped(columns[i].cells[row], columns[i].width);
        put_cells(columns, cells, false, sink);
    }
}

void put_sources(const Answer& answer, std::size_t width, TextSink& sink) {
    if (answer.sources.empty())
        return;
    sink.put("\nSources\n");
    for (const std::string& source : answer.sources)
        put_hanging(sink, "  -", terminal_text(source), 4, width);
}

} // namespace

void write_answer_table(const Answer& answer, std::size_t width, TextSink& sink) {
    bool first = true;
    const auto separate = [&] {
        if (!first)
            sink.put('\n');
        first = false;
    };
    for (const AnswerSection& section : answer.sections) {
        separate();
        put_section(section, width, sink);
    }
    for (const AnswerTable& table : answer.tables) {
        separate();
        put_table(table, width, sink);
    }
    put_sources(answer, width, sink);
}

} // namespace bursar
