#include <algorithm>
#include <array>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/trace_builder.hpp"
#include "scenarios/traces/trace_format.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar::csv_table_test {
namespace {

constexpr std::array columns{
    CsvColumn{TraceField::job, "id", ColumnNeed::optional, ColumnWrite::always},
    CsvColumn{TraceField::tenant, "group", ColumnNeed::optional, ColumnWrite::always},
    CsvColumn{TraceField::submit, "begin", ColumnNeed::identifies},
    CsvColumn{TraceField::finish, "end", ColumnNeed::identifies},
    CsvColumn{.field = TraceField::gpus,
              .name = "devices",
              .need = ColumnNeed::required,
              .hint = "ask for it"},
    CsvColumn{TraceField::priority, "rank"},
};

/// A format that separates its columns by `delimiter`.
constexpr CsvTable table_with(char delimiter) {
    return {.columns = columns, .delimiter = delimiter, .written = true};
}

Trace read(const CsvTable& table, const std::string& text) {
    TraceOptions options;
    options.file = "t";
    TraceBuilder builder{options};
    MemorySource bytes{text};
    read_csv_table(table, bytes, builder);
    return builder.finish();
}

} // namespace

TEST_CASE("a table with any delimiter is read and written back") {
    for (const char delimiter : {',', ';', '|', '\t'}) {
        CAPTURE(delimiter);
        const CsvTable table = table_with(delimiter);
        std::string text = "id;group;begin;end;devices;rank\n"
                           "a b;x,y|z;0;7.5;8;-3\n"
                           "c;w;2;2;1;0\n";
        if (delimiter != ';') {
            std::ranges::replace(text, delimiter, '/'); // a name with it would be quoted
            std::ranges::replace(text, ';', delimiter);
        }
        CHECK(identifying_columns(table) == std::string{"begin"} + delimiter + "end");
        const Trace trace = read(table, text);
        CHECK(trace.duration_ms == std::vector<std::int64_t>{7'500, 0});
        CHECK(trace.gpus == std::vector<std::uint32_t>{8, 1});
        CHECK(trace.priority == std::vector<std::int32_t>{-3, 0});
        std::ostringstream out;
        write_csv_table({.name = "own", .csv = &table}, trace, out);
        CHECK(out.str() == text);
    }
}

TEST_CASE("columns that a trace does not fill: row number and \"all\", or omitted") {
    const CsvTable table = table_with('|');
    std::ostringstream out;
    write_csv_table(
        {.name = "own", .csv = &table}, read(table, "devices|end|begin\n1|3|2\n4|9|5\n"), out);
    CHECK(out.str() == "id|group|begin|end|devices\n0|all|0|1|1\n1|all|3|7|4\n");
}

TEST_CASE("the message about a missing column has a suggestion") {
    const CsvTable table = table_with('\t');
    CHECK_THROWS_WITH_AS(read(table, "begin\tend\n"),
                         "t:1: devices: no such column (columns found: begin, end); ask for it",
                         ScenarioError);
    CHECK_THROWS_WITH_AS(read(table, "begin,end,devices\n"),
                         "t:1: begin: no such column (columns found: begin,end,devices); columns "
                         "must be separated by tabs",
                         ScenarioError);
}

TEST_CASE("a table holds the parts that it has columns for") {
    const FormatHolds holds = holds_of(table_with(','));
    CHECK(holds.names);
    CHECK(holds.tenants);
    CHECK(holds.priorities);
    CHECK_FALSE(holds.dates);
    CHECK_FALSE(holds.states);
    CHECK_FALSE(holds.gpu_milli);
    CHECK_FALSE(holds.gpu_types);
    CHECK_FALSE(holds.cpu_and_memory);
}

} // namespace bursar::csv_table_test
