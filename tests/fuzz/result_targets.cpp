#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "reports/compare/compare_formats.hpp"
#include "reports/compare/saved_comparison.hpp"
#include "reports/document/render.hpp"
#include "reports/errors/report_error.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/result/saved_result.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_formats.hpp"

#include "tests/fuzz/targets.hpp"
#include "tests/reports/support/content_hash.hpp"
#include "tests/reports/support/csv.hpp"
#include "tools/sweep/sweep_store.hpp"

/// Files that the program has saved, changed, with the right hash: they are refused with a
/// ReportError, or every index in them leads somewhere.
namespace bursar::fuzz {
namespace {

/// The result of a text, which gets its hash here: seeds need none.
Result signed_result(std::string_view text) {
    return parse_result(test::with_content_hash(text), "fuzz");
}

std::string text_of(OutputWriter& write, const Result& result, const OutputOptions& options = {}) {
    StringSink sink;
    write(result, options, sink);
    return sink.text();
}

std::string saved_text(const SavedComparison& saved) {
    StringSink sink;
    write_saved_comparison(saved.comparison, saved.question, 100, sink);
    return sink.text();
}

/// A sweep over two axes with two seeds, some runs of which have no result.
SweepTable good_sweep() {
    SweepTable table;
    table.version = "1.2.3";
    table.scenario_name = "fuzz";
    table.identity = 7;
    table.paths = {"fleet.p.nodes", "policy.queue"};
    table.axes = {{0}, {1}};
    table.files = {{"prices.csv", 9}};
    for (std::uint64_t number = 0; number < 8; ++number) {
        SweepRow& row = table.rows.emplace_back();
        row.number = number;
        row.scenario = number / 2;
        row.scenario_hash = 100 + row.scenario;
        row.seed = number % 2;
        row.values = {row.scenario < 2 ? "1" : "2", row.scenario % 2 == 0 ? "fifo" : "sjf"};
        row.fingerprint = 1000 + number;
        row.ending = {Duration{3'600'000}, true, {}, {{Purchase::reserved, 8, MoneyRate{9}, hour}}};
        row.scalars.assign(scalar_table().size(), 1.5 + static_cast<double>(number));
    }
    table.rows[6].failure = "does not fit";
    table.rows[7].pruned = "beaten";
    table.rows[6].scalars.clear();
    table.rows[7].scalars.clear();
    table.num_planned = table.rows.size();
    return table;
}

/// A cell as SQLite shows it, and its `typeof`.
struct Cell {
    std::string type;
    std::string text;
};

/// The type of a changed cell is that of its text: 12, 1.5, NULL, else a text.
Cell cell_of(std::string_view text) {
    std::int64_t integer{};
    double number{};
    const char* const end = text.data() + text.size();
    if (text == "NULL")
        return {"null", {}};
    if (const auto [rest, error] = std::from_chars(text.data(), end, integer);
        error == std::errc{} && rest == end)
        return {"integer", std::string{text}};
    if (const auto [rest, error] = std::from_chars(text.data(), end, number);
        error == std::errc{} && rest == end)
        return {"real", std::string{text}};
    return {"text", std::string{text}};
}

void set_cell(Database::Statement& insert, int number, const Cell& cell) {
    if (cell.type == "integer")
        insert.set(number, std::int64_t{std::strtoll(cell.text.c_str(), nullptr, 10)});
    else if (cell.type == "real")
        insert.set(number, std::optional{std::strtod(cell.text.c_str(), nullptr)});
    else if (cell.type == "null")
        insert.set(number, std::optional<double>{});
    else
        insert.set(number, std::string_view{cell.text});
}

using Rows = std::vector<std::vector<Cell>>;

/// The rows of a table, without their hashes.
Rows rows_of(Database& database, const std::string& table) {
    std::string columns;
    int num_columns = 0;
    Database::Statement names{
        database, "SELECT name FROM pragma_table_info('" + table + "') WHERE name <> 'row_hash'"};
    for (; names.step(); ++num_columns) {
        const std::string name = sql_name(names.text(0));
        columns += (columns.empty() ? "typeof(" : ", typeof(") + name + "), " + name;
    }
    Rows rows;
    Database::Statement ask{database, "SELECT " + columns + " FROM " + table};
    while (ask.step()) {
        std::vector<Cell>& row = rows.emplace_back();
        for (int i = 0; i < num_columns; ++i)
            row.push_back({ask.text(2 * i), ask.text(2 * i + 1)});
    }
    return rows;
}

/// Replaces the rows of a table, each with its hash.
void put_rows(Database& database, const std::string& table, const Rows& rows) {
    database.run("DELETE FROM " + table);
    std::string marks = "?";
    for (std::size_t i = 0; i < rows.front().size(); ++i)
        marks += ", ?";
    Database::Statement insert{database,
                               "INSERT OR REPLACE INTO " + table + " VALUES (" + marks + ")"};
    for (const std::vector<Cell>& row : rows) {
        int number = 0;
        for (const Cell& cell : row)
            set_cell(insert, ++number, cell);
        insert.set_row_hash(++number);
        insert.run();
    }
}

/// The text up to the first space, which is cut off `line` together with it.
std::string_view take_word(std::string_view& line) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    return word;
}

std::size_t take_number(std::string_view& line) {
    const std::string_view word = take_word(line);
    std::size_t number = 0;
    std::from_chars(word.data(), word.data() + word.size(), number);
    return number;
}

/// Changes the cells that lines name: "TABLE ROW COLUMN VALUE".
void change_cells(Database& database, std::string_view lines) {
    std::map<std::string, Rows, std::less<>> changed;
    while (!lines.empty()) {
        std::string_view line = take_line(lines);
        const std::string table{take_word(line)};
        if (table != "about" && table != "files" && table != "planned" && table != "runs" &&
            table != "notes")
            continue;
        const std::size_t row = take_number(line);
        const std::size_t column = take_number(line);
        Rows& rows = changed.contains(table)
                         ? changed.find(table)->second
                         : changed.emplace(table, rows_of(database, table)).first->second;
        std::vector<Cell>& cells = rows[row % rows.size()];
        cells[column % cells.size()] = cell_of(line);
    }
    for (const auto& [table, rows] : changed)
        put_rows(database, table, rows);
}

} // namespace

/// Saving a result that was read gives the same result.
void result(std::string_view input) {
    read_or_refuse<ReportError>([&] {
        const Result read = signed_result(input);
        require(parse_result(text_of(write_saved_result, read), "again") == read);
    });
}

void outputs(std::string_view input) {
    read_or_refuse<ReportError>([&] {
        const Result read = signed_result(input);
        for (const Output& output : bursar::outputs())
            static_cast<void>(text_of(*output.write, read));
    });
}

/// Every row of a bill in FOCUS has all columns of its version.
void focus(std::string_view input) {
    read_or_refuse<ReportError>([&] {
        const Result read = signed_result(input);
        for (const FocusVersion version : {FocusVersion::v1_2, FocusVersion::v1_3})
            for (const ShareIdle share_idle : {ShareIdle::none, ShareIdle::usage}) {
                OutputOptions options;
                options.focus_version = version;
                options.share_idle = share_idle;
                const auto rows = test::parse_csv(text_of(write_focus_csv, read, options));
                for (const std::vector<std::string>& row : rows)
                    require(row.size() == rows.front().size());
            }
    });
}

/// Saving a comparison that was read gives the same file; and every format can show it.
void comparison(std::string_view input) {
    read_or_refuse<ReportError>([&] {
        const SavedComparison read = parse_comparison(test::with_content_hash(input), "fuzz");
        const std::string saved = saved_text(read);
        require(saved_text(parse_comparison(saved, "again")) == saved);
        for (const CompareOutput& output : compare_outputs()) {
            StringSink sink;
            output.write(read.comparison, read.question, 100, sink);
        }
    });
}

/// Each line changes a cell of a sweep's database, and the hash of its row.
void sweep_rows(std::string_view input) {
    static const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("bursar-fuzz-" + std::to_string(getpid()));
    static const std::filesystem::path good = [] {
        std::filesystem::create_directories(folder / "good");
        const SweepTable table = good_sweep();
        SweepStore store{folder / "good", table, Database::Open::to_fill};
        for (const SweepRow& row : table.rows)
            store.add(row, std::vector<SweepNote>{{SweepNote::Kind::assumed, "no checkpoints"}});
        store.keep_question(usual_question());
        store.flush();
        return folder / "good" / store_name;
    }();
    const std::filesystem::path changed = folder / store_name;
    std::filesystem::copy_file(good, changed, std::filesystem::copy_options::overwrite_existing);
    read_or_refuse<ReportError>([&] {
        {
            Database database{changed.string(), Database::Open::to_read};
            database.run("PRAGMA synchronous=OFF; BEGIN");
            change_cells(database, input);
            database.run("COMMIT");
        }
        SweepStore store{changed};
        const SweepTable table = store.table();
        const SweepQuestion asked = store.question();
        StringSink sink;
        write_sweep_csv(table, sink);
        render_markdown(sweep_answer(table, asked), sink);
    });
}

} // namespace bursar::fuzz
