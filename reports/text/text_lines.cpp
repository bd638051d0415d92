#include "reports/text/text_lines.hpp"

#include <algorithm>
#include <cassert>

#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {

void put_line(TextSink& sink, std::string_view line) {
    sink.put(line.substr(0, line.find_last_not_of(' ') + 1));
    sink.put('\n');
}

void put_heading(TextSink& sink, std::string_view title) {
    if (!title.empty())
        put_line(sink, terminal_text(title));
}

void put_hanging(
    TextSink& sink, std::string line, std::string_view text, std::size_t from, std::size_t width) {
    for (const std::string& part : wrapped(text, width - from)) {
        put_line(sink, left_aligned(line, from) + part);
        line.clear();
    }
}

namespace {

bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Bytes of the longest beginning of `word` that fits into `width` columns; a character at least.
std::size_t fitting_bytes(std::string_view word, std::size_t width) {
    std::size_t end = 0;
    std::size_t used = 0;
    while (end < word.size()) {
        std::size_t next = end + 1;
        while (next < word.size() && continues_character(word[next]))
            ++next;
        used += display_width(word.substr(end, next - end));
        if (used > width && end > 0)
            return end;
        end = next;
    }
    return end;
}

} // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    assert(width >= 2);
    std::vector<std::string> lines(1);
    std::size_t used = 0;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        if (text.empty())
            return lines;
        std::size_t end = text.find(' ');
        if (end != std::string_view::npos && text.substr(end).starts_with(" %"))
            end = text.find(' ', end + 1);
        std::string_view word = text.substr(0, end);
        if (used > 0 && used + 1 + display_width(word) > width) {
            lines.emplace_back();
            used = 0;
        }
        word = word.substr(0, fitting_bytes(word, width));
        if (used > 0) {
            lines.back() += ' ';
            ++used;
        }
        lines.back() += word;
        used += display_width(word);
        text.remove_prefix(word.size());
    }
}

std::size_t width_of(std::span<const GridColumn> columns) {
    std::size_t sum = 0;
    for (const GridColumn& column : columns)
        sum += column.gap + column.width;
    return sum;
}

std::string grid_line(std::span<const GridColumn> columns, std::span<const std::string> cells) {
    assert(cells.size() == columns.size());
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        line.append(columns[i].gap, ' ');
        line += columns[i].is_words ? left_aligned(cells[i], columns[i].width)
                                    : right_aligned(cells[i], columns[i].width);
    }
    return line;
}

void put_grid_row(TextSink& sink,
                  std::span<const GridColumn> columns,
                  std::span<const GridCell> cells,
                  GridSide side) {
    std::size_t height = 0;
    for (const GridCell& cell : cells)
        height = std::max(height, cell.size());
    for (std::size_t line = 0; line < height; ++line) {
        std::vector<std::string> texts;
        for (const GridCell& cell : cells) {
            const std::size_t above = side == GridSide::bottom ? height - cell.size() : 0;
            const bool is_blank = line < above || line - above >= cell.size();
            texts.push_back(is_blank ? std::string{} : cell[line - above]);
        }
        put_line(sink, grid_line(columns, texts));
    }
}

}} // namespace bursar::reports
