#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "models/calibration/row_ids.hpp"

namespace bursar::row_ids_test {

TEST_CASE("an id names itself, a range the ids in it") {
    CHECK(names_row("bench-007", "bench-007"));
    CHECK(names_row("no number", "no number"));
    CHECK_FALSE(names_row("bench-007", "bench-008"));
    CHECK(names_row("bench-001..109", "bench-001"));
    CHECK(names_row("bench-001..109", "bench-109"));
    CHECK_FALSE(names_row("bench-001..109", "bench-110"));
    CHECK_FALSE(names_row("bench-001..109", "bench-1")); // another id
    CHECK_FALSE(names_row("bench-001..109", "other-001"));
    CHECK(names_row("b-0001..1437 by 4", "b-0005"));
    CHECK_FALSE(names_row("b-0001..1437 by 4", "b-0003"));
    CHECK_FALSE(names_row("b-0001..1437 by 0", "b-0001"));
    CHECK_FALSE(names_row("b-01..x", "b-01"));
}

TEST_CASE("ids become ranges where there are three in equal steps") {
    using Texts = std::vector<std::string>;
    CHECK(id_ranges({"b-3", "b-1", "b-2"}) == Texts{"b-1..3"});
    CHECK(id_ranges({"b-01", "b-05", "b-09"}) == Texts{"b-01..09 by 4"});
    CHECK(id_ranges({"a", "b-1", "b-2"}) == Texts{"a", "b-1", "b-2"});
    CHECK(id_ranges({}).empty());
}

TEST_CASE("ranges name the ids that they were made of, and no other") {
    CHECK(rc::check([] {
        std::vector<std::string> ids;
        for (int number = 0; number < 100; ++number)
            if (*rc::gen::inRange(0, 3) > 0)
                ids.push_back("row-" + std::to_string(1000 + number).substr(1));
        const std::vector<std::string> ranges = id_ranges(ids);
        for (int number = 0; number < 100; ++number) {
            const std::string id = "row-" + std::to_string(1000 + number).substr(1);
            const bool named = std::ranges::any_of(
                ranges, [&id](const std::string& range) { return names_row(range, id); });
            RC_ASSERT(named == (std::ranges::find(ids, id) != ids.end()));
        }
    }));
}

} // namespace bursar::row_ids_test
