#include <cmath>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/scaling/power_law.hpp"
#include "models/scaling/sparse_params.hpp"

namespace bursar::other_laws_test {

TEST_CASE("Kaplan's losses are 1 at their scale and fall by their exponent") {
    CHECK(kaplan_loss(Parameters{8.8e13}) == doctest::Approx(1));
    CHECK(kaplan_loss(Tokens{5.4e13}) == doctest::Approx(1));
    // (8.8e13 / 1.5e9)^0.076 and (5.4e13 / 2.2e10)^0.095, worked with logarithms
    CHECK(kaplan_loss(Parameters{1.5e9}) == doctest::Approx(std::exp(0.076 * 10.97966)));
    CHECK(kaplan_loss(Tokens{2.2e10}) == doctest::Approx(std::exp(0.095 * 7.80568)));
    CHECK(kaplan_params_growth(10) == doctest::Approx(5.370).epsilon(1e-4));
}

TEST_CASE("a mixture counts as something between its active and all its parameters") {
    // Mixtral 8x7B: 12.9e9 of 46.7e9
    CHECK(sparse_effective_params(Parameters{12.9e9}, Parameters{46.7e9}).count() ==
          doctest::Approx(24.54e9).epsilon(1e-3));
    CHECK(sparse_effective_params(Parameters{1e9}, Parameters{8e9}, 0).count() ==
          doctest::Approx(1e9));
    CHECK(sparse_effective_params(Parameters{1e9}, Parameters{8e9}, 1).count() ==
          doctest::Approx(8e9));
    CHECK_THROWS_AS((void)sparse_effective_params(Parameters{2e9}, Parameters{1e9}), ModelError);
    CHECK_THROWS_AS((void)sparse_effective_params(Parameters{1e9}, Parameters{2e9}, 1.5),
                    ModelError);
}

} // namespace bursar::other_laws_test
