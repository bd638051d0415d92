#include <filesystem>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include "reports/errors/report_error.hpp"

#include "tests/tools/program.hpp"
#include "tools/sweep/database.hpp"

namespace bursar::test::database_test {

TEST_CASE("a database that finds no room says that the disk is full, and keeps what it has") {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.sqlite");
    {
        Database database{file};
        database.run("CREATE TABLE t (bytes BLOB); INSERT INTO t VALUES (1)");
        database.run("PRAGMA max_page_count=10"); // a disk of 40 kB
        CHECK_THROWS_WITH_AS(database.run("INSERT INTO t VALUES (zeroblob(100000))"),
                             (file + ": the disk is full").c_str(),
                             ReportError);
    }
    Database database{file, Database::Open::to_read};
    Database::Statement count{database, "SELECT count(*) FROM t"};
    REQUIRE(count.step());
    CHECK(count.integer(0) == 1);
}

TEST_CASE("what else is wrong is told in SQLite's words") {
    const TemporaryFolder folder;
    Database database{folder.file("a.sqlite")};
    CHECK_THROWS_WITH_AS(
        database.run("SELECT none"), doctest::Contains("no such column: none"), ReportError);
    CHECK_THROWS_WITH_AS((Database{folder.file("none/a.sqlite")}),
                         doctest::Contains("unable to open database file"),
                         ReportError);
}

TEST_CASE("a file that is no database is closed again") {
    const TemporaryFolder folder;
    const std::string file = folder.write("a.sqlite", std::string(8192, 'x'));
    const auto num_open = [] {
        const std::filesystem::directory_iterator files{"/proc/self/fd"};
        return std::distance(begin(files), end(files));
    };
    const auto before = num_open();
    for (int i = 0; i < 3; ++i)
        CHECK_THROWS_WITH_AS(
            Database{file}, doctest::Contains("file is not a database"), ReportError);
    CHECK(num_open() == before);
}

TEST_CASE("numbers come back as they were, and nothing is not zero") {
    Database database{":memory:"};
    database.run("CREATE TABLE t (a REAL, b REAL, c REAL)");
    Database::Statement insert{database, "INSERT INTO t VALUES (?, ?, ?)"};
    insert.set(1, std::optional{0.0});
    insert.set(2, std::optional{-1.5});
    insert.set(3, std::optional<double>{});
    insert.run();
    Database::Statement ask{database, "SELECT a, b, c FROM t"};
    REQUIRE(ask.step());
    CHECK(ask.number(0) == 0.0);
    CHECK(ask.number(1) == -1.5);
    CHECK_FALSE(ask.number(2));
}

} // namespace bursar::test::database_test
