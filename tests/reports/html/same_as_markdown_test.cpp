#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "reports/outputs/registry.hpp"
#include "reports/summary/sentences.hpp"
#include "reports/text/escape.hpp"

#include "tests/properties.hpp"
#include "tests/reports/support/random_result.hpp"
#include "tests/reports/support/sample_result.hpp"

namespace bursar::test::same_as_markdown_test {
namespace {

using Cells = std::vector<std::string>;

/// The cells of a line of a table, still Markdown.
Cells cells_of(std::string_view line) {
    Cells cells;
    std::string cell;
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i] == '|') {
            cells.push_back(cell.substr(1, cell.size() - 2)); // the blanks around it
            cell.clear();
            continue;
        }
        cell += line[i];
        if (line[i] == '\\' && i + 1 < line.size())
            cell += line[++i];
    }
    return cells;
}

/// The text that a cell of Markdown shows, as pages show it.
std::string shown(std::string cell) {
    if (cell.starts_with("**"))
        cell = cell.substr(2, cell.size() - 4);
    const std::string line_break = terminal_text("\n");
    const std::pair<std::string_view, std::string_view> words[]{
        {"<br>", line_break}, {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}};
    std::string out;
    for (std::size_t i = 0; i < cell.size();) {
        const auto word = std::ranges::find_if(words, [&](const auto& one) {
            return std::string_view{cell}.substr(i).starts_with(one.first);
        });
        if (word != std::end(words)) {
            out += word->second;
            i += word->first.size();
            continue;
        }
        if (cell[i] == '\\')
            ++i;
        out += cell[i++];
    }
    return out;
}

/// The rows of every table except the first, the bill, as on a page: titles, then lines.
std::vector<std::string> rows_of_tables(const std::string& markdown) {
    std::vector<std::string> rows;
    std::size_t table = 0;
    Cells titles;
    Cells rule;
    for (std::size_t at = 0; at < markdown.size();) {
        const std::size_t end = markdown.find('\n', at);
        const std::string line = markdown.substr(at, end - at);
        at = end + 1;
        if (!line.starts_with('|')) {
            titles.clear();
            rule.clear();
        } else if (titles.empty()) {
            titles = cells_of(line);
            ++table;
        } else if (rule.empty()) {
            for (std::size_t i = 1; i < line.size(); i += 4)
                rule.emplace_back(line.substr(i, 3) == "---" ? " class=\"w\"" : "");
        } else if (table > 1) {
            const Cells cells = cells_of(line);
            REQUIRE(cells.size() == titles.size());
            std::string row;
            for (std::size_t column = 0; column < cells.size(); ++column)
                row += "<td" + rule[column] + ">" + xml_text(shown(cells[column])) + "</td>";
            rows.push_back(row);
        }
    }
    return rows;
}

/// Facts in the text of a page, by name, without months, for which Markdown has a table.
std::vector<std::string> facts_of(const std::string& page) {
    std::vector<std::string> facts;
    const std::string begin = "</dt><dd>";
    for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
        const bool is_month = page.substr(0, at).ends_with("<dt>month");
        at += begin.size();
        if (!is_month)
            facts.push_back(page.substr(at, page.find("</dd>", at) - at));
    }
    return facts;
}

/// The table for terminals breaks lines at blanks.
std::string without_blanks(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
}

std::string table_of(const Result& result) {
    OutputOptions options;
    options.group_by = GroupBy::tenant;
    options.share_idle = ShareIdle::even;
    StringSink table;
    write_terminal_table(result, options, table);
    return table.text();
}

std::string page_of(const Result& result, const OutputOptions& options) {
    StringSink page;
    write_run_report(result, options, page);
    return page.text();
}

/// Removes blanks that do not matter: Markdown drops those at the end of a cell, and a page keeps a
/// number, its unit and its mark, " +", on one line.
std::string with_plain_blanks(std::string text) {
    const std::string no_break = "\u00a0";
    for (std::size_t at = text.find(no_break); at != std::string::npos; at = text.find(no_break))
        text.replace(at, no_break.size(), " ");
    for (std::size_t at = text.find(" </td>"); at != std::string::npos; at = text.find(" </td>"))
        text.erase(at, 1);
    return text;
}

std::string markdown_of(const Result& result, const OutputOptions& options) {
    StringSink markdown;
    write_markdown(result, options, markdown);
    return markdown.text();
}

} // namespace

TEST_CASE("a page has every line of every table of the bill in Markdown") {
    const Result result = sample_result();
    const std::string page = with_plain_blanks(page_of(result, {}));
    const std::vector<std::string> rows = rows_of_tables(markdown_of(result, {}));
    CHECK(rows.size() == 46);
    for (const std::string& row : rows)
        CHECK_MESSAGE(page.find(row) != std::string::npos, row);
}

TEST_CASE("the same holds for any result, tables and sharing of idle time") {
    CHECK(check_property("lines of tables are cell by cell the same", [] {
        const Result result = random_result();
        OutputOptions options;
        options.static_charts = true;
        options.share_idle =
            drawn::element_of(std::vector{ShareIdle::none, ShareIdle::even, ShareIdle::usage});
        if (drawn::boolean())
            options.top = drawn::in_range<std::size_t>(1, 4);
        const std::string page = with_plain_blanks(page_of(result, options));
        const std::string markdown = markdown_of(result, options);
        for (const std::string& line : rows_of_tables(markdown)) {
            const std::string row = with_plain_blanks(line);
            RC_LOG() << row << '\n';
            RC_ASSERT(page.find(row) != std::string::npos);
        }
        const std::string sharing = sharing_sentence(options.share_idle);
        RC_ASSERT(page.find(sharing) != std::string::npos);
        RC_ASSERT(markdown.find(sharing) != std::string::npos);
    }));
}

TEST_CASE("facts in the text of a page are in the other bills, too") {
    CHECK(check_property("every fact is in Markdown and in the table", [] {
        Result result = random_result();
        result.run.decisive = {random_text() + "d"};
        result.run.assumed = {random_text() + "a"};
        result.run.unmodelled = {random_text() + "u"};
        result.run.trace_notes = {random_text() + "t"};
        OutputOptions options;
        options.share_idle = ShareIdle::even;
        const std::string markdown = xml_text(shown(markdown_of(result, options)));
        const std::string table = without_blanks(xml_text(table_of(result)));
        const std::vector<std::string> facts = facts_of(page_of(result, options));
        RC_ASSERT(facts.size() >= 7U);
        for (const std::string& fact : facts) {
            RC_LOG() << fact << '\n';
            RC_ASSERT(markdown.find(fact) != std::string::npos);
            RC_ASSERT(table.find(without_blanks(fact)) != std::string::npos);
        }
    }));
}

} // namespace bursar::test::same_as_markdown_test
