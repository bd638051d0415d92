#include <algorithm>

#include <doctest/doctest.h>

#include "models/calibration/splits.hpp"

namespace bursar::splits_test {

using Rows = std::vector<std::size_t>;

TEST_CASE("the first row is an odd one") {
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

} // namespace bursar::splits_test
