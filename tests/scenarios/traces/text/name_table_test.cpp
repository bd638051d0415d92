#include <doctest/doctest.h>

#include "scenarios/traces/text/name_table.hpp"

namespace bursar::name_table_test {

TEST_CASE("names are numbered in order of first use, up to 65536 of them") {
    NameTable table;
    CHECK(table.number_of("b") == 0);
    CHECK(table.number_of("") == 1);
    CHECK(table.number_of("b") == 0);
    for (std::size_t i = 2; i < NameTable::max_names; ++i)
        REQUIRE(table.number_of("name " + std::to_string(i)) == i);
    CHECK_FALSE(table.number_of("one more"));
    CHECK(table.number_of("name 4711") == 4711);
    const std::vector<std::string> names = table.take();
    REQUIRE(names.size() == NameTable::max_names);
    CHECK(names[4711] == "name 4711");
    CHECK(table.size() == 0);
}

} // namespace bursar::name_table_test
