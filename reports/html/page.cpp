#include "reports/html/page.hpp"

#include <span>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "reports/document/shown_cells.hpp"
#include "reports/html/page_style.hpp"
#include "reports/html/sha256.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t most_of_a_cell = 300;      ///< columns
constexpr std::size_t most_of_a_sentence = 2000; ///< likewise
constexpr std::size_t most_of_a_line = 24;       ///< of a cell; longer ones have several lines

std::string html_text(std::string_view text, std::size_t most) {
    return xml_text(cut_to_width(terminal_text(valid_utf8(text)), most));
}

std::string sentence(std::string_view text) {
    return html_text(text, most_of_a_sentence);
}

std::string cell(std::string_view text) {
    return html_text(text, most_of_a_cell);
}

/// Lines on paper do not break inside a short number with its unit, nor before the mark behind it,
/// whose place is kept in cells without one.
std::string without_breaks(std::string text) {
    constexpr std::size_t short_width = 9; // of "9.1 min +"
    const std::size_t mark = text.size() < 2 ? 0 : text.size() - 2;
    const std::size_t first = display_width(text) <= short_width ? 0 : mark;
    for (std::size_t i = text.size(); i-- > first;)
        if (text[i] == ' ')
            text.replace(i, 1, "\u00a0");
    return text;
}

/// A number in the multiple of its unit that suits its size.
std::string shown_cell(const Cell& cell, std::string_view unit) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    const CellText text = cell_text(cell, unit);
    return text.unit.empty() ? text.value : text.value + " " + text.unit;
}

std::string_view row_class(RowKind kind) {
    switch (kind) {
    case RowKind::plain:
        break;
    case RowKind::under:
        return " class=\"under\"";
    case RowKind::sum:
        return " class=\"sum\"";
    }
    return "";
}

/// A page of HTML. All text is escaped here; control characters and marks of direction become
/// visible, and what is longer than a line ends in an ellipsis.
class HtmlPage {
  public:
    HtmlPage(TextSink& sink, std::string_view script) : sink_{sink}, script_{script} {}

    void put(const Document& document) {
        begin(document.title);
        if (!document.headline.empty())
            paragraph(document.headline, "headline");
        for (const std::string& warning : document.warnings)
            paragraph("Warning: " + warning);
        const std::vector<Document::Block>& blocks = document.blocks;
        for (std::size_t i = 0; i < blocks.size();) {
            std::size_t end = i;
            while (end < blocks.size() && std::holds_alternative<ReportTable>(blocks[end]))
                ++end;
            if (end > i + 1) {
                put_side_by_side(std::span{blocks}.subspan(i, end - i));
                i = end;
                continue;
            }
            end = i;
            while (end < blocks.size() && is_large_section(blocks[end]))
                ++end;
            if (end > i) {
                put_together(std::span{blocks}.subspan(i, end - i));
                i = end;
                continue;
            }
            std::visit([&](const auto& block) { put_block(block); }, blocks[i++]);
        }
        for (const std::string& source : document.sources)
            paragraph(source, "about");
        finish();
    }

  private:
    void begin(std::string_view title) {
        const std::string shown = cell(title);
        sink_.put("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        sink_.put(fmt::format(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
            "'none'; style-src '{}';{} base-uri 'none'; form-action 'none'\">\n",
            content_hash_source(page_style()),
            script_.empty() ? "" : fmt::format(" script-src '{}';", content_hash_source(script_))));
        sink_.put("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n");
        sink_.put(fmt::format("<title>{}</title>\n<style>", shown));
        sink_.put(page_style());
        sink_.put(fmt::format("</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n", shown));
    }

    void heading(std::string_view text) {
        if (!text.empty())
            sink_.put(fmt::format("<h2>{}</h2>\n", sentence(text)));
    }

    void paragraph(std::string_view text, std::string_view classes = {}) {
        const std::string shown = sentence(text);
        if (classes.empty())
            sink_.put(fmt::format("<p>{}</p>\n", shown));
        else
            sink_.put(fmt::format("<p class=\"{}\">{}</p>\n", classes, shown));
    }

    /// Tables where there is room for several in a row.
    void put_side_by_side(std::span<const Document::Block> tables) {
        sink_.put("<div class=\"tables\">\n");
        for (const Document::Block& table : tables) {
            sink_.put("<section>\n");
            put_block(std::get<ReportTable>(table));
            sink_.put("</section>\n");
        }
        sink_.put("</div>\n");
    }

    [[nodiscard]] static bool is_large_section(const Document::Block& block) {
        const auto* const section = std::get_if<FigureSection>(&block);
        return section != nullptr && !section->is_small;
    }
    /// Sections of charts that fill the columns of a page on paper one after the other.
    void put_together(std::span<const Document::Block> sections) {
        sink_.put("<div class=\"flow-on\">\n");
        for (const Document::Block& section : sections)
            put_block(std::get<FigureSection>(section));
        sink_.put("</div>\n");
    }

    void put_block(const Facts& facts) {
        if (facts.values.empty())
            return;
        heading(facts.title);
        sink_.put("<dl class=\"facts\">\n");
        for (const Fact& fact : facts.values)
            sink_.put(fmt::format("<dt>{}</dt><dd>{}</dd>\n",
                                  cell(fact.label),
                                  sentence(shown_cell(fact.value, fact.unit) +
                                           (fact.note.empty() ? "" : " (" + fact.note + ")"))));
        sink_.put("</dl>\n");
    }

    void put_block(const Lines& lines) {
        heading(lines.title);
        for (const std::string& line : lines.lines)
            paragraph(line);
    }

    void put_block(const FigureSection& section) {
        if (section.figures.empty())
            return;
        heading(section.title);
        if (!section.note.empty())
            paragraph(section.note, "lead");
        sink_.put(section.is_small ? "<div class=\"charts small\">\n" : "<div class=\"charts\">\n");
        for (const Figure& one : section.figures)
            figure(one);
        sink_.put("</div>\n");
    }

    void put_block(const ReportTable& table) {
        if (table.rows.empty())
            return;
        heading(table.title);
        rows(table, table.title.empty() ? table.columns.front().label : table.title);
        if (!table.note.empty())
            paragraph(table.note, "note");
    }

    /// The table without its title. caption: for screen readers.
    void rows(const ReportTable& table, std::string_view caption) {
        sink_.put(fmt::format("<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                              "aria-label=\"{}\">\n<table>\n<thead><tr>",
                              cell(caption)));
        std::vector<std::string_view> classes;
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            classes.push_back(is_words(table, i) ? " class=\"w\"" : "");
            sink_.put(fmt::format(
                "<th scope=\"col\"{}>{}</th>", classes.back(), cell(table.columns[i].label)));
        }
        sink_.put("</tr></thead>\n<tbody>\n");
        for (const ReportRow& row : table.rows) {
            sink_.put("<tr");
            sink_.put(row_class(row.kind));
            sink_.put('>');
            for (std::size_t i = 0; i < row.cells.size(); ++i) {
                const std::string text = shown_cell(row.cells[i], table.columns[i].unit);
                const bool wraps = classes[i].empty() && display_width(text) > most_of_a_line;
                sink_.put(fmt::format("<td{}>{}</td>",
                                      wraps ? " class=\"l\"" : classes[i],
                                      cell(classes[i].empty() ? without_breaks(text) : text)));
            }
            sink_.put("</tr>\n");
        }
        sink_.put("</tbody>\n</table>\n</div>\n");
    }

    void figure(const Figure& figure) {
        sink_.put(
            fmt::format("<figure id=\"{}\">\n<figcaption>\n<h3>{}</h3>\n<p>{}</p>\n</figcaption>\n",
                        figure.title.id,
                        cell(figure.title.question),
                        sentence(figure.title.answer)));
        sink_.put(figure.svg);
        if (!script_.empty() && !figure.data.empty()) {
            sink_.put("<script type=\"application/json\">");
            sink_.put(figure.data);
            sink_.put("</script>\n");
        }
        for (const std::string& note : figure.notes)
            paragraph(note, "note");
        if (!figure.table.rows.empty()) {
            sink_.put(fmt::format("<details><summary>Table: {}</summary>\n",
                                  cell(figure.title.question)));
            rows(figure.table, figure.title.question);
            sink_.put("</details>\n");
        }
        sink_.put("</figure>\n");
    }

    void finish() {
        sink_.put("</main>\n");
        if (!script_.empty()) {
            sink_.put("<script>");
            sink_.put(script_);
            sink_.put("</script>\n");
        }
        sink_.put("</body>\n</html>\n");
    }

    TextSink& sink_;
    std::string_view script_;
};

} // namespace

void render_html(const Document& document, TextSink& sink, std::string_view script) {
    HtmlPage{sink, script}.put(document);
}

}} // namespace bursar::reports
