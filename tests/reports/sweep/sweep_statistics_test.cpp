
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "reports/sweep/sweep_points.hpp"
#include "reports/sweep/sweep_statistics.hpp"

namespace bursar::sweep_statistics_test {
namespace {

using Values = std::vector<std::optional<double>>;

/// f over a grid, the last axis changing fastest.
template <class Function>
Values over_grid(std::size_t a, std::size_t b, const Function& f) {
    Values values;
    for (std::size_t i = 0; i < a; ++i)
        for (std::size_t k = 0; k < b; ++k)
            values.emplace_back(f(static_cast<double>(i), static_cast<double>(k)));
    return values;
}

} // namespace

TEST_CASE("effects of a sum are shares of its variance, without interactions") {
    // Var of 0..2 is 2/3, of 0..4 is 2; 3 x + y: 6 of 8 and 2 of 8.
    const std::array<std::size_t, 2> sizes{3, 5};
    const auto effects =
        sensitivities(sizes, over_grid(3, 5, [](double x, double y) { return 3 * x + y; }));
    REQUIRE(effects);
    CHECK((*effects)[0].main == doctest::Approx(0.75));
    CHECK((*effects)[1].main == doctest::Approx(0.25));
    CHECK((*effects)[0].total == doctest::Approx(0.75));
    CHECK((*effects)[1].total == doctest::Approx(0.25));
}

TEST_CASE("an exclusive or is explained by no axis alone, and fully by both") {
    const std::array<std::size_t, 2> sizes{2, 2};
    const auto effects =
        sensitivities(sizes, over_grid(2, 2, [](double x, double y) { return x == y ? 0 : 1; }));
    REQUIRE(effects);
    for (const Sensitivity& one : *effects) {
        CHECK(one.main == doctest::Approx(0).scale(1));
        CHECK(one.total == doctest::Approx(1));
    }
}

TEST_CASE("a product: main effects and interaction by hand") {
    // (1 + x)(1 + y), x, y in {0, 1}: means 2.25, variance 1.1875; means by x: 1.5, 3: 0.5625.
    const std::array<std::size_t, 2> sizes{2, 2};
    const auto effects =
        sensitivities(sizes, over_grid(2, 2, [](double x, double y) { return (1 + x) * (1 + y); }));
    REQUIRE(effects);
    CHECK((*effects)[0].main == doctest::Approx(0.5625 / 1.1875));
    CHECK((*effects)[0].total == doctest::Approx(1 - 0.5625 / 1.1875));
}

TEST_CASE("an axis without effect has none, for any rounding of sums") {
    const std::array<std::size_t, 2> sizes{2, 3};
    const auto effects =
        sensitivities(sizes, over_grid(2, 3, [](double, double y) { return 0.1 + y / 7; }));
    REQUIRE(effects);
    CHECK((*effects)[0].main == 0);
    CHECK((*effects)[0].total == 0);
    CHECK((*effects)[1].total == doctest::Approx(1));
}

TEST_CASE("a constant metric, and one with unknown values, has no effects") {
    const std::array<std::size_t, 2> sizes{2, 2};
    CHECK(!sensitivities(sizes, Values{1, 1, 1, 1}));
    CHECK(!sensitivities(sizes, Values{1, 2, std::nullopt, 1}));
}

TEST_CASE("the front has the points that no other is better than") {
    const std::array<TwoFigures, 8> points{
        {{3, 3}, {1, 9}, {2, 5}, {2, 4}, {4, 3}, {std::nullopt, 0}, {3, 3}, {9, 1}}};
    CHECK(pareto_front(points) == std::vector<std::size_t>{1, 3, 0, 7});
    CHECK(pareto_front({}).empty());
}

TEST_CASE("the front agrees with a comparison of every pair") {
    std::vector<TwoFigures> points;
    unsigned state = 1;
    for (int i = 0; i < 300; ++i) {
        state = state * 1664525U + 1013904223U;
        points.push_back({state >> 16 & 31U, state >> 24 & 31U});
    }
    const std::vector<std::size_t> front = pareto_front(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        bool is_beaten = false;
        for (std::size_t k = 0; k < points.size(); ++k) {
            const bool as_good =
                points[k].first <= points[i].first && points[k].second <= points[i].second;
            const bool is_equal =
                points[k].first == points[i].first && points[k].second == points[i].second;
            is_beaten = is_beaten || (as_good && (!is_equal || k < i));
        }
        CHECK((std::ranges::find(front, i) != front.end()) == !is_beaten);
    }
}

TEST_CASE("quantiles are interpolated between values") {
    const std::array values{10.0, 20.0, 30.0, 50.0};
    CHECK(quantile(values, 0) == 10);
    CHECK(quantile(values, 1) == 50);
    CHECK(quantile(values, 0.5) == 25);
    CHECK(quantile(values, 0.1) == doctest::Approx(13));
    CHECK(quantile(std::array{7.0}, 0.9) == 7);
}

} // namespace bursar::sweep_statistics_test
