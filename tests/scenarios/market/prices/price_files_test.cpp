#include <string>

#include <doctest/doctest.h>

#include "scenarios/market/prices/read_prices.hpp"

#include "tests/scenarios/traces/temporary_file.hpp"

namespace bursar::price_files_test {

TEST_CASE("a price file is read once, and generators are fitted to its prices once") {
    std::string text = "time,price\n";
    for (int i = 0; i < 30; ++i)
        text += std::to_string(i * 7200) + (i % 4 == 0 ? ",16\n" : ",8\n");
    const test::TemporaryFile file{text};
    PriceFiles files;
    const auto read = files.read(file.path(), "");
    CHECK(files.read(file.path(), "") == read);
    CHECK(files.read(file.path(), "csv") != read); // another format may give other prices
    const PriceHistory history = price_history(*read, read->offers.front());
    const auto fit = files.fit(history);
    REQUIRE(fit);
    CHECK(files.fit(history) == fit);
    PriceHistory dearer = history;
    for (std::int64_t& rate : dearer.steps.rate)
        rate *= 2;
    CHECK(files.fit(dearer) != fit);
}

TEST_CASE("nothing is fitted to a price that never changes") {
    const test::TemporaryFile file{"time,price\n0,8\n3600,8\n"};
    PriceFiles files;
    const auto read = files.read(file.path(), "");
    CHECK_FALSE(files.fit(price_history(*read, read->offers.front())));
}

} // namespace bursar::price_files_test
