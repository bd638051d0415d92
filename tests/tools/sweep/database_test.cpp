#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "reports/errors/report_error.hpp"

#include "tests/tools/program.hpp"
#include "tools/sweep/database.hpp"

namespace bursar::test::database_test {
namespace {

/// Rows visible to another process.
std::int64_t num_rows(const std::string& file) {
    Database database{file, Database::Open::to_read};
    Database::Statement count{database, "SELECT count(*) FROM t"};
    count.step();
    return count.integer(0);
}

} // namespace

TEST_CASE("a database without space reports a full disk, and keeps its rows") {
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

TEST_CASE("other errors have SQLite's message") {
    const TemporaryFolder folder;
    Database database{folder.file("a.sqlite")};
    CHECK_THROWS_WITH_AS(
        database.run("SELECT none"), doctest::Contains("no such column: none"), ReportError);
    CHECK_THROWS_WITH_AS((Database{folder.file("none/a.sqlite")}),
                         doctest::Contains("unable to open database file"),
                         ReportError);
}

TEST_CASE("a file that is no database is closed") {
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

TEST_CASE("numbers are read back exactly, and null is not zero") {
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

TEST_CASE("grouped writes are one transaction until they are committed, or their time is over") {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.sqlite");
    Database database{file};
    database.run("CREATE TABLE t (n INTEGER CHECK (n > 0))");
    std::mutex mutex;
    GroupedWrites writes{database, mutex};
    const auto write = [&](int n) {
        const std::lock_guard lock{mutex};
        writes.begin();
        database.run("INSERT INTO t VALUES (" + std::to_string(n) + ")");
    };
    {
        const std::lock_guard lock{mutex}; // the thread cannot commit
        writes.begin();
        database.run("INSERT INTO t VALUES (1)");
        CHECK(num_rows(file) == 0);
        writes.begin();
        database.run("INSERT INTO t VALUES (2)");
        CHECK(num_rows(file) == 0);
        writes.commit();
        CHECK(num_rows(file) == 2);
    }
    write(3);
    for (int wait = 0; wait < 200 && num_rows(file) < 3; ++wait) // 50 ms, on an idle machine
        std::this_thread::sleep_for(std::chrono::milliseconds{50});
    CHECK(num_rows(file) == 3);
    CHECK_THROWS_AS(write(-1), ReportError);
    write(4);
    {
        const std::lock_guard lock{mutex};
        writes.commit();
        writes.commit(); // no transaction is open
    }
    CHECK(num_rows(file) == 4);
}

TEST_CASE("an open transaction is committed by the destructor of its writer") {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.sqlite");
    {
        Database database{file};
        database.run("CREATE TABLE t (n INTEGER)");
        std::mutex mutex;
        GroupedWrites writes{database, mutex};
        {
            const std::lock_guard lock{mutex};
            writes.begin();
            database.run("INSERT INTO t VALUES (1)");
        }
    }
    CHECK(num_rows(file) == 1);
}

TEST_CASE("the hash of a row covers every value, its type and its position") {
    Database database{":memory:"};
    database.run("CREATE TABLE t (a, b REAL, c, row_hash)");
    const auto has_right_hash = [&](const std::string& change) {
        database.run("DELETE FROM t");
        Database::Statement insert{database, "INSERT INTO t VALUES (?, ?, ?, ?)"};
        insert.set(1, "text");
        insert.set(2, std::optional{-0.0});
        insert.set(3, std::int64_t{5});
        insert.set_row_hash(4);
        insert.run();
        database.run(change);
        Database::Statement ask{database, "SELECT a, b, c, row_hash FROM t"};
        REQUIRE(ask.step());
        return ask.has_right_hash();
    };
    CHECK(has_right_hash("SELECT 1 WHERE 0"));
    CHECK_FALSE(has_right_hash("UPDATE t SET a = 'text '"));
    CHECK_FALSE(has_right_hash("UPDATE t SET b = NULL"));
    CHECK_FALSE(has_right_hash("UPDATE t SET b = 1"));
    CHECK_FALSE(has_right_hash("UPDATE t SET c = 5.0"));
    CHECK_FALSE(has_right_hash("UPDATE t SET c = '5'"));
    CHECK_FALSE(has_right_hash("UPDATE t SET a = c, c = a"));
    CHECK_FALSE(has_right_hash("UPDATE t SET row_hash = NULL"));
}

} // namespace bursar::test::database_test
