#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include <doctest/doctest.h>

#include "reports/errors/report_error.hpp"

#include "tests/tools/program.hpp"
#include "tools/sweep/database.hpp"
#include "tools/sweep/grouped_writes.hpp"

namespace bursar::test::grouped_writes_test {
namespace {

/// Rows that another process would see.
std::int64_t num_rows(const std::string& file) {
    Database database{file, Database::Open::to_read};
    Database::Statement count{database, "SELECT count(*) FROM t"};
    count.step();
    return count.integer(0);
}

} // namespace

TEST_CASE("writes are kept together until they are committed, or their time is over") {
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
        const std::lock_guard lock{mutex}; // so that the time cannot pass
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
    for (int wait = 0; wait < 200 && num_rows(file) < 3; ++wait) // 50 ms, on a machine at rest
        std::this_thread::sleep_for(std::chrono::milliseconds{50});
    CHECK(num_rows(file) == 3);
    CHECK_THROWS_AS(write(-1), ReportError);
    write(4);
    {
        const std::lock_guard lock{mutex};
        writes.commit();
        writes.commit(); // nothing is open any more
    }
    CHECK(num_rows(file) == 4);
}

TEST_CASE("what is open when its writer goes is written") {
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

} // namespace bursar::test::grouped_writes_test
