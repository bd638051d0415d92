#include "reports/html/page.hpp"

#include <fmt/format.h>

#include "reports/document/shown_cells.hpp"
#include "reports/html/page_script.hpp"
#include "reports/html/page_style.hpp"
#include "reports/html/sha256.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t most_of_a_cell = 300;      ///< columns
constexpr std::size_t most_of_a_sentence = 2000; ///< likewise

std::string html_text(std::string_view text, std::size_t most) {
    return xml_text(cut_to_width(terminal_text(valid_utf8(text)), most));
}

std::string sentence(std::string_view text) {
    return html_text(text, most_of_a_sentence);
}

std::string cell(std::string_view text) {
    return html_text(text, most_of_a_cell);
}

/// Lines on paper break between a value and its unit rather than before the mark behind it.
std::string kept_mark(std::string text) {
    if (text.ends_with(" +") || text.ends_with(" -") || text.ends_with(" ?"))
        text.replace(text.size() - 2, 1, "\u00a0");
    return text;
}

/// A number in the multiple of its unit that suits its size.
std::string shown_cell(const Cell& cell, std::string_view unit) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return kept_mark(*text);
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

} // namespace

HtmlPage::HtmlPage(std::string_view title, TextSink& sink, std::string_view script)
    : sink_{sink}, script_{script} {
    const std::string shown = cell(title);
    sink_.put("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    sink_.put(fmt::format(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; style-src '{}';{} base-uri 'none'; form-action 'none'\">\n",
        content_hash_source(page_style()),
        script.empty() ? "" : fmt::format(" script-src '{}';", content_hash_source(script))));
    sink_.put("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
              "<meta name=\"color-scheme\" content=\"light dark\">\n");
    sink_.put(fmt::format("<title>{}</title>\n<style>", shown));
    sink_.put(page_style());
    sink_.put(fmt::format("</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n", shown));
}

void HtmlPage::heading(std::string_view text) {
    sink_.put(fmt::format("<h2>{}</h2>\n", sentence(text)));
}

void HtmlPage::paragraph(std::string_view text, std::string_view classes) {
    const std::string shown = sentence(text);
    if (classes.empty())
        sink_.put(fmt::format("<p>{}</p>\n", shown));
    else
        sink_.put(fmt::format("<p class=\"{}\">{}</p>\n", classes, shown));
}

void HtmlPage::facts(const std::vector<std::pair<std::string, std::string>>& facts) {
    if (facts.empty())
        return;
    sink_.put("<dl class=\"facts\">\n");
    for (const auto& [name, text] : facts)
        sink_.put(fmt::format("<dt>{}</dt><dd>{}</dd>\n", cell(name), sentence(text)));
    sink_.put("</dl>\n");
}

void HtmlPage::facts(const Facts& facts) {
    std::vector<std::pair<std::string, std::string>> texts;
    for (const Fact& fact : facts.values)
        texts.emplace_back(fact.label,
                           shown_cell(fact.value, fact.unit) +
                               (fact.note.empty() ? "" : " (" + fact.note + ")"));
    this->facts(texts);
}

void HtmlPage::table(const ReportTable& table, std::string_view caption) {
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
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            sink_.put(fmt::format("<td{}>{}</td>",
                                  classes[i],
                                  cell(shown_cell(row.cells[i], table.columns[i].unit))));
        sink_.put("</tr>\n");
    }
    sink_.put("</tbody>\n</table>\n</div>\n");
}

void HtmlPage::block(const ReportTable& titled) {
    sink_.put("<section>\n");
    if (!titled.title.empty())
        sink_.put(fmt::format("<h3>{}</h3>\n", cell(titled.title)));
    table(titled, titled.title.empty() ? titled.columns.front().label : titled.title);
    sink_.put("</section>\n");
}

void HtmlPage::tables(const std::vector<ReportTable>& tables) {
    sink_.put("<div class=\"tables\">\n");
    for (const ReportTable& titled : tables)
        block(titled);
    sink_.put("</div>\n");
}

void HtmlPage::section(const FigureSection& section, const std::optional<ReportTable>& first) {
    if (section.figures.empty() && !first)
        return;
    heading(section.title);
    sink_.put("<div class=\"charts\">\n");
    if (first)
        block(*first);
    for (const Figure& one : section.figures)
        figure(one);
    sink_.put("</div>\n");
}

void HtmlPage::figure(const Figure& figure) {
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
        sink_.put(
            fmt::format("<details><summary>Table: {}</summary>\n", cell(figure.title.question)));
        table(figure.table, figure.title.question);
        sink_.put("</details>\n");
    }
    sink_.put("</figure>\n");
}

void HtmlPage::end() {
    sink_.put("</main>\n");
    if (!script_.empty()) {
        sink_.put("<script>");
        sink_.put(script_);
        sink_.put("</script>\n");
    }
    sink_.put("</body>\n</html>\n");
}

namespace {

/// Puts one block of a page.
struct PutBlock {
    HtmlPage& page;

    void operator()(const Facts& facts) const {
        page.heading(facts.title);
        page.facts(facts);
    }
    void operator()(const Lines& lines) const {
        if (!lines.title.empty())
            page.heading(lines.title);
        for (const std::string& line : lines.lines)
            page.paragraph(line);
    }
    void operator()(const FigureSection& section) const { page.section(section); }
    void operator()(const ReportTable& table) const {
        if (table.rows.empty())
            return;
        page.heading(table.title);
        page.table(table, table.title);
        if (!table.note.empty())
            page.paragraph(table.note, "note");
    }
};

} // namespace

void render_html(const Document& document, TextSink& sink) {
    HtmlPage page{document.title, sink, page_script()};
    if (!document.headline.empty())
        page.paragraph(document.headline);
    for (const std::string& warning : document.warnings)
        page.paragraph("Warning: " + warning);
    for (const Document::Block& block : document.blocks)
        std::visit(PutBlock{page}, block);
    for (const std::string& source : document.sources)
        page.paragraph(source, "about");
    page.end();
}

}} // namespace bursar::reports
