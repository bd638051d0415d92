#include <array>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "models/calibration/validation.hpp"

namespace bursar::validation_test {

TEST_CASE("errors worked by hand") {
    // relative errors: +0.10, -0.20, 0, +0.50
    const std::array predictions{
        Prediction{11, 10}, Prediction{8, 10}, Prediction{10, 10}, Prediction{15, 10}};
    const ErrorStatistics error = error_statistics(predictions);
    CHECK(error.n == 4);
    CHECK(error.mape == doctest::Approx(0.2));
    CHECK(error.median == doctest::Approx(0.15)); // between 0.1 and 0.2
    CHECK(error.p90 == doctest::Approx(0.41));    // 0.2 + 0.7 (0.5 - 0.2)
    CHECK(error.max == doctest::Approx(0.5));
    CHECK(error.bias == doctest::Approx(0.1));
    CHECK(error.mean_log_error ==
          doctest::Approx((std::log(1.1) - std::log(0.8) + std::log(1.5)) / 4));
}

TEST_CASE("no predictions, no errors") {
    const ErrorStatistics error = error_statistics({});
    CHECK(error.n == 0);
    CHECK(error.mape == 0);
}

TEST_CASE("one prediction is its own median and maximum") {
    const std::array one{Prediction{3, 4}};
    const ErrorStatistics error = error_statistics(one);
    CHECK(error.median == 0.25);
    CHECK(error.p90 == 0.25);
    CHECK(error.max == 0.25);
    CHECK(error.bias == -0.25);
}

TEST_CASE("rows are grouped by where they are from, and only the answered ones have an error") {
    ValidatedRow row;
    row.file = "a.csv";
    row.gpu = "A100";
    row.measured = 10;
    row.predicted = 11;
    std::vector<ValidatedRow> rows(4, row);
    rows[1].gpu = "H100";
    rows[2].predicted.reset();
    rows[3].predicted = 13;
    const std::vector<ValidationGroup> groups = grouped(rows);
    REQUIRE(groups.size() == 2);
    CHECK(groups[0].gpu == "A100");
    CHECK(groups[0].n == 3);
    CHECK(groups[0].error.n == 2);
    CHECK(groups[0].error.mape == doctest::Approx(0.2));
    CHECK(groups[1].gpu == "H100");
    CHECK(groups[1].n == 1);
    for (const auto& change : {+[](ValidatedRow& one) { one.file = "b.csv"; },
                               +[](ValidatedRow& one) { one.framework = "x"; },
                               +[](ValidatedRow& one) { one.quantity = "x"; },
                               +[](ValidatedRow& one) { one.profile = "x"; },
                               +[](ValidatedRow& one) { one.tuning = Tuning::tuned; }}) {
        std::vector<ValidatedRow> two(2, row);
        change(two[1]);
        CHECK(grouped(two).size() == 2);
    }
}

} // namespace bursar::validation_test
