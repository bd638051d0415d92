// A sweep's database whose rows have been changed is refused.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "reports/document/render.hpp"
#include "reports/errors/report_error.hpp"
#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_formats.hpp"

#include "tests/properties.hpp"
#include "tests/tools/program.hpp"
#include "tests/tools/simulate/small_scenario.hpp"
#include "tests/tools/sweep/swept.hpp"
#include "tools/sweep/merge_sweeps.hpp"
#include "tools/sweep/run_sweep.hpp"
#include "tools/sweep/stored_text.hpp"

namespace bursar::test::stored_runs_test {
namespace {

/// Two owned or reserved pools, two axes and two seeds; one value of the first axis has a run that
/// fails.
SweepPlan small_plan() {
    SweepRequest request{.source = two_jobs(), .seeds = 2};
    *request.source.text += "  - {pool: q, purchase: reserved, term: 30 d, gpu: V100-SXM2-16GB, "
                            "nodes: 1, gpus_per_node: 8, price: 1 USD/gpu-h}\n";
    for (const char* axis : {"fleet.p.nodes=1,2", "policy.queue=fifo,sjf"})
        request.vary.push_back(parse_axis(axis));
    return SweepPlan{request};
}

/// The database of a sweep of that plan in a folder.
std::string stored_in(const TemporaryFolder& folder) {
    const SweepPlan plan = small_plan();
    SweepStore store{folder.path(), planned_table(plan), Database::Open::to_fill};
    run_sweep(plan, store, {});
    store.keep_question(usual_question());
    store.flush();
    return folder.file(store_name);
}

/// All formats of a sweep's database, one after the other.
std::string rendered(const std::string& file) {
    SweepStore store{file};
    const SweepTable table = store.table();
    const SweepQuestion asked = store.question();
    const reports::Document answer = sweep_answer(table, asked);
    StringSink sink;
    write_sweep_csv(table, sink);
    render_markdown(answer, sink);
    write_sweep_html(table, asked, answer, sink);
    return sink.text();
}

/// The message that refuses a database, without its name; empty if it is accepted.
std::string complaint(const std::string& file) {
    try {
        static_cast<void>(rendered(file));
    } catch (const BadResult& bad) {
        const std::string said = bad.what();
        REQUIRE(said.starts_with(file + ": "));
        return said.substr(file.size() + 2);
    }
    return {};
}

/// The columns of a table.
std::vector<std::string> columns_of(const std::string& file, const std::string& table) {
    Database database{file, Database::Open::to_read};
    Database::Statement ask{database, "SELECT name FROM pragma_table_info('" + table + "')"};
    std::vector<std::string> names;
    while (ask.step())
        names.push_back(ask.text(0));
    return names;
}

std::string any_cell() {
    return drawn::one_of<std::string>("NULL",
                                      "''",
                                      "'failed'",
                                      "'<script>'",
                                      "'5 cost.total'",
                                      "'0 1 1'",
                                      "'0 8 1000 1'",
                                      "'0 16777215 1125899906842624 2199023255552'",
                                      "'9 8 1000 0'",
                                      "'0123456789abcdef'",
                                      "x'00ff'",
                                      "CAST(x'41ff00' AS TEXT)",
                                      "-1",
                                      "0",
                                      "1",
                                      "2199023255552",
                                      "9223372036854775807",
                                      "0.5",
                                      "1e15",
                                      "-1e15",
                                      "1e300",
                                      "9e999");
}

} // namespace

TEST_CASE("a changed row is refused, and so is a missing table") {
    const TemporaryFolder folder;
    const std::string file = stored_in(folder);
    CHECK(complaint(file).empty());
    const auto of = [&](const std::string& statement) {
        const std::string copy = folder.file("copy.sqlite");
        std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing);
        Database{copy, Database::Open::to_read}.run(statement);
        return complaint(copy);
    };
    const auto wrong_hash_in = [](const std::string& table) {
        return "is damaged: a row of its table " + table +
               " has another hash than its cells; sweep again";
    };
    for (const char* change : {"status = 'failed'",
                               "message = 'x'",
                               "end_ms = -5",
                               "end_ms = 'a'",
                               "wall_s = NULL",
                               "kept = '0 8 1000 0'",
                               "fingerprint = '0123456789abcdef'",
                               "\"cost.total\" = 9e999",
                               "\"cost.total\" = \"cost.total\" + 1",
                               "row_hash = NULL",
                               "row_hash = '0123456789abcdef'"}) {
        CAPTURE(change);
        CHECK(of(std::string{"UPDATE runs SET "} + change) == wrong_hash_in("runs"));
        CHECK(of(std::string{"UPDATE runs SET "} + change + " WHERE rowid = 2") ==
              wrong_hash_in("runs"));
    }
    CHECK(of("UPDATE planned SET point = 7 WHERE number = 1") == wrong_hash_in("planned"));
    CHECK(of("UPDATE notes SET text = text || 'x'") == wrong_hash_in("notes"));
    CHECK(of("UPDATE about SET value = '1 1' WHERE name = 'axes'") == wrong_hash_in("about"));
    CHECK(of("INSERT INTO files VALUES ('x', 'y', NULL)") == wrong_hash_in("files"));
    CHECK(of("DELETE FROM planned WHERE number = 2") ==
          "is damaged: its table planned has no run 2; sweep again");
    CHECK(of("DELETE FROM planned") == "is damaged: it plans no run; sweep again");
    CHECK(of("DELETE FROM planned WHERE number = 3").starts_with("is damaged: its table runs has"));
    CHECK(of("DROP TABLE notes") == "is damaged: no such table: notes");
    CHECK(of("DROP TABLE runs").starts_with("bursar "));
    CHECK(of("ALTER TABLE planned DROP COLUMN row_hash") == "is damaged: no such column: row_hash");
    CHECK(of("UPDATE about SET value = '1' WHERE name = 'format'")
              .starts_with("its tables are of format 1, and this version"));
}

TEST_CASE("an index out of range is refused even if the hash of its row is right") {
    const TemporaryFolder folder;
    const std::string file = stored_in(folder);
    const auto insert = [&](const std::string& statement, auto... values) {
        const std::string copy = folder.file("copy.sqlite");
        std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing);
        {
            Database database{copy, Database::Open::to_read};
            Database::Statement change{database, statement};
            int number = 0;
            (change.set(++number, values), ...);
            change.set_row_hash(++number);
            change.run();
        }
        return complaint(copy);
    };
    using Integer = std::int64_t;
    CHECK(insert("INSERT INTO notes VALUES (?, ?, ?)", Integer{9}, "x") ==
          "is damaged: its table notes has an unknown kind; sweep again");
    CHECK(insert("INSERT OR REPLACE INTO about VALUES (?, ?, ?)", "axes", "5 7") ==
          "is damaged: its axes are not of its paths; sweep again");
    CHECK(insert("INSERT OR REPLACE INTO planned VALUES (?, ?, ?, ?, ?, ?, ?)",
                 Integer{1},
                 Integer{7},
                 "0123456789abcdef",
                 Integer{1},
                 "1",
                 "fifo") == "is damaged: its table planned has no run 1; sweep again");
}

TEST_CASE("kept capacity is read back as it is written") {
    const std::vector<KeptCapacity> kept{{Purchase::owned, 16, MoneyRate{1'000}, Duration{1}},
                                         {Purchase::reserved, 1, MoneyRate{0}, Duration{3'600}},
                                         {Purchase::owned, 8, {}, Duration{1}}}; // price varies
    CHECK(kept_text(kept) == "0 16 1000 1; 1 1 0 3600; 0 8 -1 1");
    CHECK(kept_of(kept_text(kept)) == kept);
    CHECK(kept_of("") == std::vector<KeptCapacity>{});
    for (const char* text : {"0 8 1000 0", "2 8 1000 1", "999999 8 1000 1", "-1 8 1000 1"}) {
        CAPTURE(text);
        CHECK_FALSE(kept_of(text));
    }
}

TEST_CASE("a changed cell is refused, or the answer is the same") {
    const TemporaryFolder folder;
    const std::string file = stored_in(folder);
    const std::string before = rendered(file);
    const std::string copy = folder.file("copy.sqlite");
    CHECK(check_property([&] {
        std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing);
        const auto table = drawn::one_of<std::string>(
            "runs", "runs", "runs", "planned", "notes", "about", "files");
        const std::vector<std::string> columns = columns_of(copy, table);
        // Half of the changes avoid the scalars, which are most columns.
        const std::size_t num_near = std::min<std::size_t>(columns.size(), 13);
        const std::size_t first = table == "planned" ? 1 : 0; // SQLite itself stores a row's number
        const std::size_t column =
            drawn::in_range<std::size_t>(first, drawn::boolean() ? columns.size() : num_near);
        Database{copy, Database::Open::to_read}.run("UPDATE OR IGNORE " + table + " SET " +
                                                    sql_name(columns[column]) + " = " + any_cell() +
                                                    (drawn::boolean() ? "" : " WHERE rowid = 2"));
        try {
            RC_ASSERT(rendered(copy) == before);
        } catch (const BadResult& bad) {
            RC_ASSERT(std::string{bad.what()}.starts_with(copy + ": "));
        }
    }));
}

TEST_CASE("no run of a damaged sweep is merged, and report ends with code 2") {
    const TemporaryFolder folder;
    const std::string file = stored_in(folder);
    const TemporaryFolder other;
    const std::string damaged = stored_in(other);
    Database{damaged, Database::Open::to_read}.run("UPDATE runs SET kept = '0 8 1000 0'");
    const std::vector<std::filesystem::path> parts{folder.path(), other.path()};
    CHECK_THROWS_WITH_AS(static_cast<void>(merge_sweeps(parts, folder.path())),
                         doctest::Contains("a row of its table runs has another hash"),
                         BadResult);
    CHECK(complaint(file).empty());
    CHECK(bursar({"report", other.path().string()}).code == 2);
}

} // namespace bursar::test::stored_runs_test
