#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/text/csv_reader.hpp"
#include "scenarios/traces/text/csv_writer.hpp"

#include "tests/properties.hpp"

namespace bursar::csv_reader_test {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(std::string_view text, char delimiter = ',') {
    MemorySource bytes{text};
    CsvReader reader{bytes, "f", delimiter};
    Rows rows;
    while (const TextRow* row = reader.next())
        rows.emplace_back(row->fields.begin(), row->fields.end());
    return rows;
}

std::string complaint(std::string_view text) {
    try {
        rows_of(text);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("RFC 4180 rows") {
    const Rows abc{{"a", "b"}, {"c", ""}};
    CHECK(rows_of("a,b\nc,\n") == abc);
    CHECK(rows_of("a,b\r\nc,\r\n") == abc);
    CHECK(rows_of("a,b\nc,") == abc);
    CHECK(rows_of("\n\na,b\r\n\r\nc,\n\n") == abc);
    CHECK(rows_of("\xef\xbb\xbf"
                  "a,b\nc,\n") == abc);
    CHECK(rows_of("\"a\",\"b\"\n\"c\",\"\"\r\n") == abc);
    CHECK(rows_of("").empty());
    CHECK(rows_of("\"\"\n") == Rows{{""}});
    CHECK(rows_of("\"a,\"\"b\"\"\",\"x\r\ny\"") == Rows{{"a,\"b\"", "x\r\ny"}});
    CHECK(rows_of(" a , b\n") == Rows{{" a ", " b"}});
}

TEST_CASE("other delimiters, with a comma as an ordinary byte") {
    for (const char delimiter : {';', '|', '\t'}) {
        CAPTURE(delimiter);
        const std::string d{delimiter};
        CHECK(rows_of("a" + d + "b,c\n" + d + "\r\n", delimiter) == Rows{{"a", "b,c"}, {"", ""}});
        CHECK(rows_of("\"x" + d + "y\"" + d + "1,5\n", delimiter) == Rows{{"x" + d + "y", "1,5"}});
    }
}

TEST_CASE("lines and columns agree with an editor, also after line feeds in quotes") {
    MemorySource bytes{"h,i\n\"a\nbc\",d,\"e\"\"e\",f\nlast,row\n"};
    CsvReader reader{bytes, "f"};
    reader.next();
    const TextRow* row = reader.next();
    REQUIRE(row->fields.size() == 4);
    CHECK(row->line == 2);
    CHECK(row->place(0).line == 2);
    CHECK(row->place(0).column == 1);
    CHECK(row->place(1).line == 3);
    CHECK(row->place(1).column == 5);
    CHECK(row->place(3).line == 3);
    CHECK(row->place(3).column == 14);
    row = reader.next();
    CHECK(row->line == 4);
    CHECK(row->place(1).column == 6);
    CHECK(row->place(2).column == 9); // the end of the row
}

TEST_CASE("a malformed row has its problem, and the next one is read") {
    MemorySource bytes{"a,b\"c,d\n\"x\"y,z\nfine,1\n"};
    CsvReader reader{bytes, "f"};
    const TextRow* row = reader.next();
    CHECK(row->problem == "quote inside an unquoted field");
    CHECK(row->problem_place.line == 1);
    CHECK(row->problem_place.column == 4);
    row = reader.next();
    CHECK(row->problem == "text after a closing quote");
    CHECK(row->problem_place.line == 2);
    CHECK(row->problem_place.column == 4);
    CHECK(reader.next()->problem.empty());
}

TEST_CASE("a file that is unreadable from a place on is refused there") {
    using namespace std::string_view_literals;
    CHECK(complaint("a,b\nc,d\0e\n"sv) == "f:2:4: NUL byte (this is not UTF-8 text)");
    CHECK(complaint("a,b\n1,\"c\nd\n") == "f:2:3: unterminated quote (the file ends inside it)");
    CHECK(complaint("a,\"") == "f:1:3: unterminated quote (the file ends inside it)");
    const std::string ten_megabytes(10'000'000, 'x');
    CHECK(complaint("a,b\n" + ten_megabytes + "\n") == "f:2: line longer than 1 MiB");
    CHECK(complaint("a,b\n" + ten_megabytes) == "f:2: line longer than 1 MiB");
    CHECK(complaint("a,b\n1,\"" + ten_megabytes + "\"\n") ==
          "f:2:3: line longer than 1 MiB (this quote is not closed)");
    CHECK(complaint("a,b\n1,\"" + ten_megabytes) ==
          "f:2:3: line longer than 1 MiB (this quote is not closed)");
}

TEST_CASE("a row just short of 1 MiB is read, at any position of the windows") {
    const std::string wide(1024 * 1024 - 2, 'w');
    for (const std::size_t before : {0UL, 1UL, 63UL, 262'143UL, 262'144UL, 300'000UL}) {
        CAPTURE(before);
        const std::string first(before, 'f');
        const Rows rows = rows_of("s," + first + "\n" + wide + ",\r\nlast,row");
        REQUIRE(rows.size() == 3);
        CHECK(rows[0][1].size() == before);
        CHECK(rows[1][0] == wide);
        CHECK(rows[2] == std::vector<std::string>{"last", "row"});
    }
}

TEST_CASE("the reader reads what the writer writes") {
    CHECK(check_property("round trip of rows", [] {
        const auto letter =
            rc::gen::element('a', 'b', ',', ';', '|', '\t', '"', '\n', '\r', ' ', '<', '\xc3');
        const char delimiter = drawn::one_of(',', ';', '|', '\t');
        const auto field = rc::gen::container<std::string>(letter);
        const auto more = rc::gen::container<std::vector<std::string>>(field);
        auto rows = *rc::gen::container<Rows>(more);
        for (auto& row : rows)
            row.insert(row.begin(), {"first", "second"}); // one empty field would be an empty line
        std::ostringstream out;
        CsvWriter csv{out, delimiter};
        for (const auto& row : rows) {
            for (const std::string& text : row)
                csv.text(text);
            csv.end_row();
        }
        RC_ASSERT(rows_of(out.str(), delimiter) == rows);
    }));
}

} // namespace bursar::csv_reader_test
