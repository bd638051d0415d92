#include <algorithm>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include "reports/document/render.hpp"
#include "reports/html/page.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"

#include "tests/reports/support/csv.hpp"

namespace bursar::document_test {
namespace {

using Json = nlohmann::json;

const std::string hostile = "a,\"b\"\n<script>\x1b[31m\xff | `x` \u202e";
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

Document sample() {
    Document answer;
    answer.command = "model step";
    answer.add(Facts{"step",
                     "Step",
                     {{"step_s", "step time", 12.34567, "s", "sum of the terms"},
                      {"mfu", "MFU", 0.4321, "fraction", "convention full-square"},
                      {"gpus", "GPUs", std::int64_t{1024}, "", ""},
                      {"fits", "fits", true, "", ""},
                      {"name", "name", hostile, "", hostile},
                      {"unknown", "unknown", not_known, "B", ""}}});
    answer.add(Facts{"terms",
                     "Terms",
                     {{"gemm_s", "products", 3.0, "s", ""},
                      {"host_s", "host", 0.001, "s", ""},
                      {"bubble_s", "bubble", 0.999, "s", ""}},
                     true});
    answer.warnings = {"foolish"};
    answer.sources = {"a book"};
    return answer;
}

ReportTable sample_table() {
    return {"layouts",
            "Layouts",
            {{"tensor", "tensor", ""},
             {"step_s", "step time", "s"},
             {"bytes", "message size", "B"},
             {"name", "name", ""}},
            {{std::int64_t{8}, 0.5, 1024.0, hostile},
             {std::int64_t{4}, 12.25, 16e9, std::string{"plain"}}}};
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in{text};
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

std::string line_with(const std::string& text, const std::string& part) {
    for (const std::string& line : lines_of(text))
        if (line.find(part) != std::string::npos)
            return line;
    return {};
}

} // namespace

TEST_CASE("the answer to a goal comes before all other blocks") {
    Document document;
    document.add(Lines{"last", {}});
    document.add_first(Lines{"middle", {}});
    document.add_goal(Facts{"goal", "first", {}});
    document.add_first(Lines{"second", {}});
    REQUIRE(document.blocks.size() == 4);
    CHECK(std::get<Facts>(document.blocks[0]).title == "first");
    CHECK(std::get<Lines>(document.blocks[1]).title == "second");
    CHECK(std::get<Lines>(document.blocks[2]).title == "middle");
    CHECK(std::get<Lines>(document.blocks[3]).title == "last");
}

TEST_CASE("formats are found by name") {
    CHECK(find_answer_format("json") == AnswerFormat::json);
    CHECK(find_answer_format("table") == AnswerFormat::table);
    CHECK(find_answer_format("csv") == AnswerFormat::csv);
    CHECK_FALSE(find_answer_format("JSON").has_value());
}

TEST_CASE("JSON has every value unchanged, under its key") {
    Document answer = sample();
    answer.add(sample_table());
    const Json json = Json::parse(render(answer, AnswerFormat::json));
    CHECK(json["command"] == "model step");
    CHECK(json["step"]["step_s"] == 12.34567);
    CHECK(json["step"]["mfu"] == 0.4321);
    CHECK(json["step"]["gpus"] == 1024);
    CHECK(json["step"]["gpus"].is_number_integer());
    CHECK(json["step"]["fits"] == true);
    CHECK(json["step"]["unknown"].is_null());
    CHECK(json["step"]["name"] == valid_utf8(hostile));
    CHECK(json["layouts"].size() == 2);
    CHECK(json["layouts"][1]["bytes"] == 16e9);
    CHECK(json["units"]["step"]["step_s"] == "s");
    CHECK_FALSE(json["units"]["step"].contains("gpus"));
    CHECK(json["units"]["layouts"]["bytes"] == "B");
    CHECK(json["warnings"] == Json::array({"foolish"}));
    CHECK(json["sources"] == Json::array({"a book"}));
}

TEST_CASE("doubles come back from JSON and CSV to the last bit") {
    CHECK(rc::check([](double value) {
        Document answer;
        answer.add(Facts{"s", "", {{"v", "v", value, "s", ""}}});
        const std::string json = render(answer, AnswerFormat::json);
        RC_ASSERT(Json::parse(json)["s"]["v"].get<double>() == value);
        const auto rows = test::parse_csv(render(answer, AnswerFormat::csv));
        RC_ASSERT(std::stod(rows.at(1).at(2)) == value);
    }));
}

TEST_CASE("CSV has the first table, or a row per value if there is none") {
    Document answer = sample();
    auto rows = test::parse_csv(render(answer, AnswerFormat::csv));
    CHECK(rows.at(0) == std::vector<std::string>{"section", "key", "value", "unit", "note"});
    CHECK(rows.at(1) ==
          std::vector<std::string>{"step", "step_s", "12.34567", "s", "sum of the terms"});
    CHECK(rows.at(4).at(2) == "true");
    CHECK(rows.at(5).at(2) == valid_utf8(hostile));
    CHECK(rows.at(6).at(2).empty());
    CHECK(rows.size() == 10);
    answer.add(sample_table());
    rows = test::parse_csv(render(answer, AnswerFormat::csv));
    CHECK(rows.at(0) == std::vector<std::string>{"tensor", "step_s", "bytes", "name"});
    CHECK(rows.at(1).at(3) == valid_utf8(hostile));
    CHECK(rows.at(2) == std::vector<std::string>{"4", "12.25", "1.6e+10", "plain"});
    CHECK(rows.size() == 3);
}

TEST_CASE("CSV leaves out a table that is not the answer") {
    Document answer = sample();
    answer.add(sample_table());
    std::get<ReportTable>(answer.blocks.back()).beside = true;
    CHECK(test::parse_csv(render(answer, AnswerFormat::csv)).size() == 10);
    CHECK(Json::parse(render(answer, AnswerFormat::json)).contains("layouts"));
}

TEST_CASE("a headline comes first, and only if there is one") {
    Document answer = sample();
    CHECK_FALSE(Json::parse(render(answer, AnswerFormat::json)).contains("headline"));
    answer.headline = "does not fit";
    CHECK(Json::parse(render(answer, AnswerFormat::json))["headline"] == "does not fit");
    CHECK(lines_of(render(answer, AnswerFormat::table))[0] == "does not fit");
    CHECK(lines_of(render(answer, AnswerFormat::table))[1].empty());
}

TEST_CASE("the table scales numbers for people and aligns them") {
    Document answer = sample();
    answer.add(sample_table());
    const std::string text = render(answer, AnswerFormat::table);
    CHECK(line_with(text, "step time ") == "  step time  12.35 s  sum of the terms");
    CHECK(line_with(text, "MFU") == "  MFU        43.21 %  convention full-square");
    CHECK(line_with(text, "GPUs") == "  GPUs       1,024");
    CHECK(line_with(text, "fits") == "  fits         yes");
    CHECK(line_with(text, "unknown") == "  unknown        -");
    CHECK(line_with(text, "products") == "  products      3 s   75.0 %");
    CHECK(line_with(text, "host") == "  host      0.001 s    0.0 %");
    CHECK(line_with(text, "bubble") == "  bubble    0.999 s   25.0 %");
    CHECK(line_with(text, "plain") == "       4      12.25         16 GB  plain");
    CHECK(line_with(text, "1.024 kB").substr(0, 33) == "       8       0.50      1.024 kB");
    CHECK(line_with(text, "a book") == "  - a book");
    CHECK(text.find("foolish") == std::string::npos);
}

TEST_CASE("small numbers of a column keep significant digits") {
    const auto column = [](const std::vector<double>& values) {
        Document answer;
        ReportTable table{"t", "", {{"v", "v", "USD"}}, {}};
        for (const double value : values)
            table.rows.push_back({value});
        answer.add(table);
        std::vector<std::string> lines = lines_of(render(answer, AnswerFormat::table));
        lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(values.size()));
        return lines;
    };
    using Lines = std::vector<std::string>;
    CHECK(column({0.005, 0.0004, 0}) == Lines{"  0.0050", "  0.0004", "  0.0000"});
    CHECK(column({0.023, 0.00099}) == Lines{"  0.02300", "  0.00099"});
    CHECK(column({0.1234, 0.01234}) == Lines{"  0.123", "  0.012"});
    CHECK(column({2.5e-6, 0.0012}) == Lines{"  2.5e-6", "  0.0012"});
    CHECK(column({7, 0.00012}) == Lines{"        7 USD", "  0.00012 USD"}); // too different
}

TEST_CASE("a column for programs is in JSON and CSV only") {
    Document answer;
    answer.add(ReportTable{"t",
                           "T",
                           {{"name", "name", ""}, {"source", "source", "", true}},
                           {{std::string{"x"}, std::string{"a book"}}}});
    CHECK(render(answer, AnswerFormat::table) == "T\n  name\n  x\n");
    CHECK(render(answer, AnswerFormat::csv) == "name,source\nx,a book\n");
    CHECK(Json::parse(render(answer, AnswerFormat::json))["t"][0]["source"] == "a book");
}

TEST_CASE("hostile text does not reach the terminal, and lines keep to the width") {
    Document answer = sample();
    answer.add(sample_table());
    answer.sources = {hostile + std::string(500, 'x'), std::string(300, ' ') + "\u4e2d\u6587"};
    std::get<Facts>(answer.blocks[0]).values[0].note =
        std::string(300, 'n') + " word " + std::string(99, 'm');
    for (const std::size_t width : {60U, 80U, 100U}) {
        for (const std::string& line : lines_of(render(answer, AnswerFormat::table, width))) {
            CAPTURE(line);
            CHECK(display_width(line) <= width);
            CHECK(line.find('\x1b') == std::string::npos);
            CHECK(line == valid_utf8(line));
            CHECK((line.empty() || line.back() != ' '));
        }
    }
}

TEST_CASE("tables that are the answer come first") {
    Document answer = sample();
    answer.add(sample_table());
    CHECK(lines_of(render(answer, AnswerFormat::table)).front() == "Step");
    std::ranges::rotate(answer.blocks, answer.blocks.end() - 1);
    CHECK(lines_of(render(answer, AnswerFormat::table)).front() == "Layouts");
}

TEST_CASE("a table too wide for the page lists values equal in all rows once") {
    Document answer;
    ReportTable table{"layouts", "Layouts", {{"first", "first", ""}}, {}};
    for (const std::string name : {"same", "other"})
        for (int i = 0; i < 5; ++i)
            table.columns.push_back({name + std::to_string(i), name + std::to_string(i), ""});
    for (const std::int64_t row : {1, 2})
        table.rows.push_back({row, "a", "b", "c", std::int64_t{7}, true, row, row, row, row, row});
    for (ReportRow& row : table.rows)
        for (std::size_t i : {1U, 2U, 3U})
            row.cells[i] = std::string(1, static_cast<char>('a' + i - 1));
    answer.add(table);
    const std::vector<std::string> wide = lines_of(render(answer, AnswerFormat::table, 100));
    CHECK(wide[1].find("same0") != std::string::npos);
    CHECK(wide[1].find("other4") != std::string::npos);
    const std::vector<std::string> narrow = lines_of(render(answer, AnswerFormat::table, 60));
    CHECK(narrow[1] == "  all rows: same0 a, same1 b, same2 c, same3 7, same4 yes");
    CHECK(narrow[2] == "  first  other0  other1  other2  other3  other4");
    CHECK(narrow[3] == "      1       1       1       1       1       1");
    // Too narrow even for those: several tables, each after the first column.
    const std::vector<std::string> tight = lines_of(render(answer, AnswerFormat::table, 42));
    CHECK(tight[3] == "  first  other0  other1  other2  other3");
    CHECK(tight.end()[-3] == "  first  other4");
    CHECK(tight.back() == "      2       2");
    // CSV and JSON keep every column
    CHECK(render(answer, AnswerFormat::csv, 60) == render(answer, AnswerFormat::csv, 100));
}

TEST_CASE("optional columns are omitted on narrow terminals, in their order") {
    ReportTable table{{{"name", Align::left}, {"first"}, {"second"}, {"third"}},
                      {{"a", "1111111111", "2222222222", "3333333333"}}};
    table.title = "T";
    table.columns[2].omit = 1;
    table.columns[1].omit = 2;
    Document document;
    document.add(table);
    CHECK(render(document, AnswerFormat::table, 42) ==
          "T\n  name       first      second       third\n"
          "  a     1111111111  2222222222  3333333333\n");
    CHECK(render(document, AnswerFormat::table, 41) ==
          "T\n  omitted (too narrow): second\n"
          "  name       first       third\n  a     1111111111  3333333333\n");
}

TEST_CASE("notes, rows under others and sums are in every format for people") {
    Document document;
    document.title = "Title | of it";
    document.add(Lines{"", {"how it was made"}});
    document.add(ReportTable{"",
                             "Parts",
                             {{"part", Align::left}, {"USD"}},
                             {{{"whole", "3"}, RowKind::plain},
                              {{"half", "1.50 +"}, RowKind::under},
                              {{"total", "3"}, RowKind::sum}}});
    std::get<ReportTable>(document.blocks.back()).note = "a note";
    document.add(FigureSection{"Charts", {}});
    document.add(Lines{"What it rests on", {"one", "two"}});
    CHECK(render(document, AnswerFormat::table) ==
          "Title | of it\n  how it was made\n\n"
          "Parts\n  part       USD\n  whole        3\n    half  1.50 +\n"
          "  --------------\n  total        3\n"
          "  a note\n\nWhat it rests on\n  one\n  two\n");
    StringSink markdown;
    render_markdown(document, markdown);
    CHECK(markdown.text() ==
          "# Title \\| of it\n\n- how it was made\n\n## Parts\n\n| part | USD |\n|---|--:|\n"
          "| whole | 3 |\n| &nbsp;&nbsp;half | 1.50 + |\n| **total** | 3 |\n\n- a note\n\n"
          "## What it rests on\n\n- one\n- two\n");
    StringSink page;
    render_html(document, page);
    for (const char* part :
         {"<h1>Title | of it</h1>",
          "<p>how it was made</p>",
          "<tr class=\"under\"><td class=\"w\">half</td><td>1.50\u00a0+</td></tr>",
          "<tr class=\"sum\"><td class=\"w\">total</td><td>3</td></tr>",
          "<p class=\"note\">a note</p>",
          "<h2>What it rests on</h2>"})
        CHECK_MESSAGE(page.text().find(part) != std::string::npos, part);
    CHECK(page.text().find("Charts") == std::string::npos);
}

TEST_CASE("an answer without anything is an empty table and whole JSON") {
    const Document nothing;
    CHECK(render(nothing, AnswerFormat::table).empty());
    CHECK(Json::parse(render(nothing, AnswerFormat::json)).size() == 4);
    Document empty_table;
    empty_table.add(ReportTable{"rows", "Rows", {{"a", "a column", "s"}}, {}});
    CHECK(render(empty_table, AnswerFormat::csv) == "a\n");
    CHECK(render(empty_table, AnswerFormat::table) == "Rows\n  a column\n         s\n");
}

} // namespace bursar::document_test
