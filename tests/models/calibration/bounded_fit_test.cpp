#include <array>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "models/calibration/bounded_fit.hpp"

#include "tests/properties.hpp"

namespace bursar::bounded_fit_test {
namespace {

/// log of a + b x^c over x = 1..20, against that of the true constants.
Residuals power_law(double a, double b, double c) {
    return [=](std::span<const double> v, std::span<double> out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            const double x = 1.0 + static_cast<double>(i);
            out[i] = std::log((v[0] + v[1] * std::pow(x, v[2])) / (a + b * std::pow(x, c)));
        }
    };
}

} // namespace

TEST_CASE("constants inside the bounds are found") {
    const std::array<BoundedParameter, 3> unknown{
        BoundedParameter{1, 0.1, 10}, BoundedParameter{1, 0.1, 10}, BoundedParameter{1, 0.1, 3}};
    CHECK(check_property([&] {
        const double a = drawn::in_range(5, 50) / 10.0;
        const double b = drawn::in_range(5, 50) / 10.0;
        const double c = drawn::in_range(5, 25) / 10.0;
        const BoundedFit fit = fit_within_bounds(power_law(a, b, c), 20, unknown);
        RC_ASSERT(std::abs(fit.values[0] / a - 1) < 0.02);
        RC_ASSERT(std::abs(fit.values[1] / b - 1) < 0.02);
        RC_ASSERT(std::abs(fit.values[2] / c - 1) < 0.02);
    }));
}

TEST_CASE("a constant with its optimum outside ends on its bound, and the others fit around it") {
    const std::array<BoundedParameter, 3> unknown{
        BoundedParameter{1, 0.1, 10}, BoundedParameter{1, 0.1, 10}, BoundedParameter{1, 0.1, 1.5}};
    const BoundedFit fit = fit_within_bounds(power_law(2, 1, 2), 20, unknown);
    CHECK(fit.values[2] == doctest::Approx(1.5));
    for (std::size_t i = 0; i < unknown.size(); ++i) {
        CHECK(fit.values[i] >= unknown[i].lower);
        CHECK(fit.values[i] <= unknown[i].upper);
    }
}

TEST_CASE("one outlier among twenty measurements hardly moves the fit") {
    const Residuals exact = power_law(2, 1, 1);
    const Residuals with_outlier = [&exact](std::span<const double> v, std::span<double> out) {
        exact(v, out);
        out[7] += 2.0; // a factor of seven
    };
    const std::array<BoundedParameter, 3> unknown{
        BoundedParameter{1, 0.1, 10}, BoundedParameter{3, 0.1, 10}, BoundedParameter{2, 0.1, 3}};
    const BoundedFit fit = fit_within_bounds(with_outlier, 20, unknown);
    CHECK(fit.values[2] == doctest::Approx(1).epsilon(0.05));
}

TEST_CASE("equal problems give equal fits to the last bit") {
    const std::array<BoundedParameter, 3> unknown{
        BoundedParameter{1, 0.1, 10}, BoundedParameter{1, 0.1, 10}, BoundedParameter{1, 0.1, 3}};
    const BoundedFit once = fit_within_bounds(power_law(3, 2, 1.5), 20, unknown);
    const BoundedFit again = fit_within_bounds(power_law(3, 2, 1.5), 20, unknown);
    CHECK(once.values == again.values);
}

} // namespace bursar::bounded_fit_test
