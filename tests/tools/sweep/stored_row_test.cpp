// A sweep's database that somebody has changed is refused, or shown: whatever is in its cells.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "reports/errors/report_error.hpp"
#include "reports/html/sweep_report.hpp"
#include "reports/sweep/sweep_answer.hpp"
#include "reports/sweep/sweep_markdown.hpp"

#include "tests/tools/program.hpp"
#include "tests/tools/simulate/small_scenario.hpp"
#include "tests/tools/sweep/swept.hpp"
#include "tools/sweep/merge_sweeps.hpp"
#include "tools/sweep/run_sweep.hpp"
#include "tools/sweep/stored_text.hpp"

namespace bursar::test::stored_row_test {
namespace {

/// Two pools that are kept, two axes and two seeds, of which the first axis has a run that fails.
SweepPlan small_plan() {
    SweepRequest request{.source = two_jobs(), .seeds = 2};
    *request.source.text += "  - {pool: q, purchase: reserved, term: 30 d, gpu: V100-SXM2-16GB, "
                            "nodes: 1, gpus_per_node: 8, price: 1 USD/gpu-h}\n";
    for (const char* axis : {"fleet.p.nodes=1,2", "policy.queue=fifo,sjf"})
        request.vary.push_back(parse_axis(axis));
    return SweepPlan{request};
}

/// What that plan's sweep leaves in a folder: its database.
std::string stored_in(const TemporaryFolder& folder) {
    const SweepPlan plan = small_plan();
    SweepStore store{folder.path(), planned_table(plan), Database::Open::to_fill};
    run_sweep(plan, store, {});
    store.keep_question(usual_question());
    store.flush();
    return folder.file(store_name);
}

/// Everything that is made of a database, one behind the other.
std::string rendered(const std::string& file) {
    SweepStore store{file};
    const SweepTable table = store.table();
    const SweepQuestion asked = store.question();
    const reports::Answer answer = sweep_answer(table, asked);
    StringSink sink;
    write_sweep_csv(table, sink);
    write_sweep_markdown(answer, sink);
    write_sweep_html(table, asked, answer, sink);
    return sink.text();
}

/// What is said of a database behind its name; "": it is shown.
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
    return *rc::gen::element<std::string>("NULL",
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

TEST_CASE("cells that no sweep writes are refused, each by its name") {
    const TemporaryFolder folder;
    const std::string file = stored_in(folder);
    CHECK(complaint(file).empty());
    const auto of = [&](const std::string& statement) {
        const std::string copy = folder.file("copy.sqlite");
        std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing);
        Database{copy, Database::Open::to_read}.run(statement);
        return complaint(copy);
    };
    const auto in_runs = [](const std::string& what) {
        return "is damaged: " + what + "; sweep again";
    };
    CHECK(of("UPDATE runs SET status = 'failed'") == in_runs("message in its table runs is empty"));
    CHECK(of("UPDATE runs SET status = 'bogus'") == in_runs("status in its table runs is bogus"));
    CHECK(of("UPDATE runs SET message = 'x'") == in_runs("message in its table runs is x"));
    CHECK(of("UPDATE runs SET status = 'pruned', message = 'x'")
              .starts_with("is damaged: cost.total in its table runs is "));
    CHECK(of("UPDATE runs SET end_ms = -5") == in_runs("end_ms in its table runs is -5"));
    CHECK(of("UPDATE runs SET end_ms = 'a'") == in_runs("end_ms in its table runs is a"));
    CHECK(of("UPDATE runs SET wall_s = NULL") == in_runs("wall_s in its table runs is null"));
    CHECK(of("UPDATE runs SET measured_to_ms = -2") ==
          in_runs("measured_to_ms in its table runs is -2"));
    CHECK(of("UPDATE runs SET fingerprint = 'x'") == in_runs("fingerprint in its table runs is x"));
    CHECK(of("UPDATE runs SET \"cost.total\" = 9e999") ==
          in_runs("cost.total in its table runs is Inf"));
    CHECK(of("UPDATE runs SET \"cost.total\" = 'text'") ==
          in_runs("cost.total in its table runs is text"));
    CHECK(of("UPDATE planned SET point = 7 WHERE number = 1") ==
          in_runs("point in its table planned is 7"));
    CHECK(of("DELETE FROM planned WHERE number = 2") ==
          in_runs("number in its table planned is 3"));
    CHECK(of("DELETE FROM planned WHERE number = 3")
              .starts_with("is damaged: scenario in its table runs is "));
    CHECK(of("DELETE FROM planned") == "is damaged: it plans no run");
    CHECK(of("INSERT INTO notes VALUES (9, 'x')") == in_runs("kind in its table notes is 9"));
    CHECK(of("DROP TABLE notes") == "is damaged: it has no table notes");
    CHECK(of("DROP TABLE runs") == "is damaged: it has no table runs");
    CHECK(of("ALTER TABLE runs DROP COLUMN kept") == "is damaged: no such column: kept");
    CHECK(of("UPDATE about SET value = '1 1' WHERE name = 'axes'") ==
          "is damaged: its axes are not of its paths");
}

TEST_CASE("kept capacity is read as it is written, and nothing else") {
    const std::vector<KeptCapacity> kept{{Purchase::owned, 16, MoneyRate{1'000}, Duration{1}},
                                         {Purchase::reserved, 1, MoneyRate{0}, Duration{3'600}}};
    CHECK(kept_text(kept) == "0 16 1000 1; 1 1 0 3600");
    CHECK(kept_of(kept_text(kept)) == kept);
    CHECK(kept_of("") == std::vector<KeptCapacity>{});
    for (const char* text : {"garbage",
                             "0 8 1000",
                             "0 8 1000 0",
                             "2 8 1000 1",
                             "999999 8 1000 1",
                             "0 0 1000 1",
                             "0 8 -1 1",
                             "0  8 1000 1",
                             "0 8 1000 1;",
                             "0 8 1000 1; ",
                             "0 8 1000 1 ",
                             " 0 8 1000 1",
                             "0 8 1000 1, 0 8 1000 1",
                             "0 9223372036854775807 9223372036854775807 1",
                             "0 99999999999999999999 1000 1"}) {
        CAPTURE(text);
        CHECK_FALSE(kept_of(text));
    }
}

TEST_CASE("any cell may hold anything: a database is refused, or shown in every format") {
    const TemporaryFolder folder;
    const std::string file = stored_in(folder);
    const std::string copy = folder.file("copy.sqlite");
    CHECK(rc::check([&] {
        std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing);
        const auto table = *rc::gen::element<std::string>(
            "runs", "runs", "runs", "planned", "notes", "about", "files");
        const std::vector<std::string> columns = columns_of(copy, table);
        // Half of what is changed is none of the scalars, which are many.
        const std::size_t num_near = std::min<std::size_t>(columns.size(), 13);
        const std::size_t first = table == "planned" ? 1 : 0; // SQLite itself keeps a row's number
        const std::size_t column = *rc::gen::inRange<std::size_t>(
            first, *rc::gen::arbitrary<bool>() ? columns.size() : num_near);
        Database{copy, Database::Open::to_read}.run(
            "UPDATE OR IGNORE " + table + " SET " + sql_name(columns[column]) + " = " + any_cell() +
            (*rc::gen::arbitrary<bool>() ? "" : " WHERE rowid = 2"));
        try {
            const std::string text = rendered(copy);
            RC_ASSERT(!text.empty());
            RC_ASSERT(text.size() < 2'000'000U);
        } catch (const BadResult& bad) {
            RC_ASSERT(std::string{bad.what()}.starts_with(copy + ": "));
        }
    }));
}

TEST_CASE("of a damaged sweep nothing is merged, and report ends with 2") {
    const TemporaryFolder folder;
    const std::string file = stored_in(folder);
    const TemporaryFolder other;
    const std::string damaged = stored_in(other);
    Database{damaged, Database::Open::to_read}.run("UPDATE runs SET kept = '0 8 1000 0'");
    const std::vector<std::filesystem::path> parts{folder.path(), other.path()};
    CHECK_THROWS_WITH_AS(static_cast<void>(merge_sweeps(parts, folder.path())),
                         doctest::Contains("kept in its table runs is 0 8 1000 0; sweep again"),
                         BadResult);
    CHECK(complaint(file).empty());
    CHECK(bursar({"report", other.path().string()}).code == 2);
}

} // namespace bursar::test::stored_row_test
