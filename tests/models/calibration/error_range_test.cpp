#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/calibration/error_range.hpp"

namespace bursar::test::error_range_test {
namespace {

/// Rows of a source with ratios from `first` to `last`, evenly.
void add_source(std::vector<Residual>& rows, std::string name, int n, double first, double last) {
    for (int i = 0; i < n; ++i)
        rows.push_back({name, first + (last - first) * i / (n - 1)});
}

} // namespace

TEST_CASE("a learnt range holds four fifths of a source's rows, a tenth on either side") {
    std::vector<Residual> rows;
    add_source(rows, "one", 101, 0.5, 1.5);
    const LearntRange learnt = learn_range(rows).value();
    CHECK(learnt.range.low == doctest::Approx(0.6).epsilon(0.01));
    CHECK(learnt.range.high == doctest::Approx(1.4).epsilon(0.01));
    CHECK(learnt.rows == 101);
    CHECK(learnt.sources == 1);
    CHECK_FALSE(learn_range({}));
}

TEST_CASE("sources weigh the same, however many rows they have") {
    std::vector<Residual> rows;
    add_source(rows, "large", 1000, 0.99, 1.01);
    add_source(rows, "small", 10, 1.3, 1.5);
    CHECK(learn_range(rows)->range.high > 1.4);
    CHECK(learn_range(rows)->range.low == doctest::Approx(0.994).epsilon(0.001));
}

TEST_CASE("a range has 1 in it, and is widened where sources differ from one another") {
    std::vector<Residual> above;
    add_source(above, "one", 10, 1.1, 1.2);
    CHECK(learn_range(above)->range.low == 1);
    std::vector<Residual> apart;
    for (const double centre : {0.8, 1.0, 1.2, 1.5})
        add_source(apart, std::to_string(centre), 10, centre * 0.98, centre * 1.02);
    const ErrorRange range = learn_range(apart)->range;
    CHECK(range.low < 0.75);
    CHECK(range.high > 1.6);
}

TEST_CASE("the range of a rate is the inverse of the range of its time") {
    const ErrorRange time{0.8, 1.25};
    CHECK(time.inverse() == ErrorRange{0.8, 1.25});
    CHECK(ErrorRange{0.5, 1.25}.inverse() == ErrorRange{0.8, 2});
    CHECK(ErrorRange{0.5, 1.25}.larger_side() == 0.5);
    CHECK(united({0.9, 1.1}, {0.95, 1.3}) == ErrorRange{0.9, 1.3});
    CHECK(range_of_mean_error(0.1).high == doctest::Approx(1.161));
}

} // namespace bursar::test::error_range_test
