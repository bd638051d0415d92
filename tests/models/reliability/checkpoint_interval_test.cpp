#include <cmath>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/reliability/checkpoint_interval.hpp"

namespace bursar::checkpoint_interval_test {

// Daly 2006, figures 3 to 5 (FORMULAS 9.5): δ = 5 min.
TEST_CASE("Daly's higher-order interval gives the paper's test vectors") {
    struct Vector {
        double mtbf_min, paper_min, formula_min;
    };
    for (const Vector& v :
         {Vector{24 * 60, 117, 116.7}, Vector{6 * 60, 57, 56.7}, Vector{15, 9.1, 9.14}}) {
        CAPTURE(v.mtbf_min);
        const double interval = daly_interval(Seconds{300}, Seconds{60 * v.mtbf_min}).count() / 60;
        CHECK(std::abs(interval - v.formula_min) < (v.formula_min > 10 ? 0.05 : 0.005));
        CHECK(std::abs(interval - v.paper_min) < 0.5);
    }
}

TEST_CASE("a dump of twice the time between failures ends Daly's formula") {
    CHECK(daly_interval(Seconds{200}, Seconds{100}) == Seconds{100});
    CHECK(daly_interval(Seconds{500}, Seconds{100}) == Seconds{100});
    // Just below the rule's edge the formula meets it: 2M (1 + 1/3 + 1/9) - 2M = 8/9 M.
    CHECK(daly_interval(Seconds{200 - 1e-6}, Seconds{100}).count() ==
          doctest::Approx(800.0 / 9).epsilon(1e-6));
}

TEST_CASE("Young's interval is sqrt(2 dump mtbf)") {
    CHECK(young_interval(Seconds{8}, Seconds{100}) == Seconds{40});
}

TEST_CASE("the numeric optimum agrees with Daly where his expansion holds") {
    for (const double mtbf : {3600.0, 21600.0, 86400.0, 864000.0}) {
        CAPTURE(mtbf);
        const CheckpointedRun run{{Seconds{60}, Seconds{}, 0}, Seconds{600}, Seconds{mtbf}};
        const double daly = daly_interval(Seconds{60}, Seconds{mtbf}).count();
        CHECK(optimal_interval(run).count() == doctest::Approx(daly).epsilon(1e-3));
    }
}

TEST_CASE("Young's rule is also close for asynchronous saving") {
    const CheckpointCost cost{Seconds{2}, Seconds{120}, 0.02};
    const double young = young_interval(lost_per_checkpoint(cost), Seconds{30000}).count();
    CHECK(optimal_interval({cost, Seconds{600}, Seconds{30000}}).count() ==
          doctest::Approx(young).epsilon(0.02));
}

TEST_CASE("the optimum is never shorter than a background write allows") {
    const CheckpointedRun run{{Seconds{0.1}, Seconds{500}, 0}, Seconds{60}, Seconds{36000}};
    CHECK(min_interval(run.checkpoint).count() == doctest::Approx(499.9));
    CHECK(optimal_interval(run) == min_interval(run.checkpoint));
    const CheckpointedRun hopeless{{Seconds{1}, Seconds{500}, 0}, Seconds{60}, Seconds{100}};
    CHECK(optimal_interval(hopeless) == Seconds{499});
}

TEST_CASE("intervals need a dump and failures above zero") {
    CHECK_THROWS_WITH_AS((void)young_interval(Seconds{0}, Seconds{1}),
                         "dump: 0 is not a finite number above zero",
                         ModelError);
    CHECK_THROWS_AS((void)daly_interval(Seconds{1}, Seconds{-1}), ModelError);
    CHECK_THROWS_AS((void)daly_interval(Seconds{1}, Seconds{INFINITY}), ModelError);
}

} // namespace bursar::checkpoint_interval_test
