#include <cmath>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/reliability/survival.hpp"

#include "tests/properties.hpp"

namespace bursar::survival_test {

TEST_CASE("a memoryless life is exactly exponential") {
    const SurvivalFunction life = SurvivalFunction::memoryless(Seconds{100});
    for (const double age : {0.0, 30.0, 100.0, 250.0, 5000.0})
        CHECK(life.at(Seconds{age}) == doctest::Approx(std::exp(-age / 100)));
    CHECK(life.mean().count() == doctest::Approx(100));
    CHECK(life.age_reached_by(0.01).count() == doctest::Approx(-100 * std::log(0.01)));
}

TEST_CASE("into a share of zero a curve falls linearly; points stand as given") {
    const SurvivalFunction life{
        {{Seconds{10}, 1.0}, {Seconds{20}, 0.5}, {Seconds{30}, 0.0}, {Seconds{40}, 0.0}}};
    CHECK(life.at(Seconds{-1}) == 1);
    CHECK(life.at(Seconds{10}) == 1);
    CHECK(life.at(Seconds{15}) == doctest::Approx(std::sqrt(0.5)));
    CHECK(life.at(Seconds{20}) == doctest::Approx(0.5));
    CHECK(life.at(Seconds{25}) == doctest::Approx(0.25));
    CHECK(life.at(Seconds{35}) == 0);
    CHECK(life.end() == Seconds{30});
    CHECK(life.mean().count() == doctest::Approx(10 + 10 * 0.5 / std::log(2.0) + 2.5));
    CHECK(life.age_reached_by(0.25) == Seconds{25});
}

TEST_CASE("the age that a share reaches is where the curve takes that value") {
    const SurvivalFunction life{{{Seconds{5}, 0.9}, {Seconds{50}, 0.4}}};
    CHECK(check_property("inverse", [&] {
        const double share = drawn::in_range(1, 1000) / 1000.0;
        RC_ASSERT(std::abs(life.at(life.age_reached_by(share)) - share) < 1e-12);
    }));
}

TEST_CASE("an invalid curve is refused with its fault") {
    using Points = std::vector<SurvivalPoint>;
    const auto refused = [](const Points& points, const char* what) {
        CHECK_THROWS_WITH_AS(SurvivalFunction{points}, what, ModelError);
    };
    refused({}, "survival: has no points; give at least one age with its share");
    refused({{Seconds{1}, 0.5}, {Seconds{1}, 0.4}},
            "survival age: does not ascend; one row per age, in order");
    refused({{Seconds{1}, 0.5}, {Seconds{2}, 0.6}},
            "survival share: rises with age; it is the share still alive");
    refused({{Seconds{0}, 0.5}, {Seconds{2}, 0.4}},
            "survival share: is not 1 at age 0; every life starts");
    refused({{Seconds{1}, 1.0}},
            "survival share: nothing ever fails; give ages at which some have");
    refused({{Seconds{1}, 50.0}}, "survival share: 50 is not a share between 0 and 1");
    refused({{Seconds{NAN}, 0.5}}, "survival share: is not 1 at age 0; every life starts");
    CHECK_THROWS_AS((void)SurvivalFunction::memoryless(Seconds{0}), ModelError);
}

} // namespace bursar::survival_test
