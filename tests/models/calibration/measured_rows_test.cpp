#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/calibration/measured_rows.hpp"

#include "tests/properties.hpp"

namespace bursar::measured_rows_test {

using Rows = std::vector<std::size_t>;

TEST_CASE("the first row counts as odd") {
    const Split split = odd_even(5);
    CHECK(split.fit == Rows{0, 2, 4});
    CHECK(split.score == Rows{1, 3});
}

TEST_CASE("every row is scored once, by a fit that did not see it") {
    Rows scored;
    for (const Split& fold : k_folds(13, 5)) {
        CHECK(fold.fit.size() + fold.score.size() == 13);
        for (const std::size_t row : fold.score) {
            CHECK(std::ranges::find(fold.fit, row) == fold.fit.end());
            scored.push_back(row);
        }
    }
    std::ranges::sort(scored);
    Rows all(13);
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = i;
    CHECK(scored == all);
}

TEST_CASE("one source is left out at a time, in order of appearance") {
    const std::vector<Split> splits = leave_one_out({"b", "a", "b", "c"});
    REQUIRE(splits.size() == 3);
    CHECK(splits[0].score == Rows{0, 2});
    CHECK(splits[0].fit == Rows{1, 3});
    CHECK(splits[2].score == Rows{3});
}

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

TEST_CASE("three or more ids in equal steps become a range") {
    using Texts = std::vector<std::string>;
    CHECK(id_ranges({"b-3", "b-1", "b-2"}) == Texts{"b-1..3"});
    CHECK(id_ranges({"b-01", "b-05", "b-09"}) == Texts{"b-01..09 by 4"});
    CHECK(id_ranges({"a", "b-1", "b-2"}) == Texts{"a", "b-1", "b-2"});
    CHECK(id_ranges({}).empty());
}

TEST_CASE("ranges name exactly the ids they were made from") {
    CHECK(check_property([] {
        std::vector<std::string> ids;
        for (int number = 0; number < 100; ++number)
            if (drawn::in_range(0, 3) > 0)
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

} // namespace bursar::measured_rows_test
