#include "reports/compare/markdown_view.hpp"

#include "reports/markdown/markdown_table.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

std::string cell_of(std::string text) {
    text.resize(text.find_last_not_of(' ') + 1);
    const std::size_t begin = text.find_first_not_of(' ');
    if (begin == std::string::npos || begin == 0)
        return markdown_cell(text);
    std::string indent;
    for (std::size_t i = 0; i < begin; ++i)
        indent += "&nbsp;";
    return indent + markdown_cell(text.substr(begin));
}

} // namespace

void put_markdown_view(TextSink& sink, const ViewTable& table) {
    std::vector<std::string> titles;
    for (const std::string& title : table.titles)
        titles.push_back(markdown_cell(title));
    std::vector<MarkdownColumn> columns;
    for (std::size_t i = 0; i < titles.size(); ++i)
        columns.push_back({titles[i], i == 0 || (table.ends_in_words && i + 1 == titles.size())});
    put_markdown_header(sink, columns);
    for (const std::vector<std::string>& row : table.rows) {
        std::vector<std::string> cells;
        for (const std::string& cell : row)
            cells.push_back(cell_of(cell));
        put_markdown_row(sink, cells);
    }
}

}} // namespace bursar::reports
