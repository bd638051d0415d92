#include <cmath>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/reliability/expected_efficiency.hpp"
#include "models/reliability/renewal_efficiency.hpp"

#include "tests/models/reliability/checkpoint_simulation.hpp"
#include "tests/properties.hpp"

namespace bursar::renewal_efficiency_test {
namespace {

const CheckpointCost asynchronous{Seconds{5}, Seconds{120}, 0.02};
const CheckpointCost synchronous{Seconds{60}, Seconds{}, 0};

/// Half of all instances die young, the others reach ten hours.
SurvivalFunction infant_mortality() {
    return SurvivalFunction{{{Seconds{600}, 0.6}, {Seconds{36000}, 0.5}, {Seconds{40000}, 0.0}}};
}

} // namespace

TEST_CASE("lives without memory give the closed form of Poisson failures") {
    for (const CheckpointCost& cost : {synchronous, asynchronous}) {
        const CheckpointedRun poisson{cost, Seconds{600}, Seconds{7200}};
        const RenewalRun renewal{
            cost, Seconds{600}, SurvivalFunction::memoryless(Seconds{7200}), {}};
        for (const double interval : {150.0, 900.0, 20000.0}) {
            CAPTURE(interval);
            CHECK(
                renewal_efficiency(renewal, Seconds{interval}) ==
                doctest::Approx(expected_shares(poisson, Seconds{interval}).useful).epsilon(1e-12));
        }
        CHECK(optimal_interval(renewal).count() ==
              doctest::Approx(optimal_interval(poisson).count()).epsilon(1e-4));
    }
}

TEST_CASE("restarts that never fail differ by e^(R/M) against 1 + R/M") {
    const Seconds interval{900};
    const RenewalRun within{
        synchronous, Seconds{600}, SurvivalFunction::memoryless(Seconds{7200}), {}};
    RenewalRun before = within;
    before.phase = RestartPhase::before_life;
    CHECK(renewal_efficiency(before, interval) / renewal_efficiency(within, interval) ==
          doctest::Approx(std::exp(600.0 / 7200) / (1 + 600.0 / 7200)).epsilon(1e-12));
}

TEST_CASE("any law of lives: the sum lies inside the interval of a simulation") {
    for (const RestartPhase phase : {RestartPhase::within_life, RestartPhase::before_life})
        for (const CheckpointCost& cost : {synchronous, asynchronous}) {
            CAPTURE(static_cast<int>(phase));
            CAPTURE(cost.background.count());
            const RenewalRun run{cost, Seconds{300}, infant_mortality(), phase};
            const test::CheckpointSimulation simulation{
                cost,
                300,
                1800,
                [&](double u) { return run.life.age_reached_by(u).count(); },
                phase == RestartPhase::within_life};
            const test::Estimate simulated = test::estimate(simulation);
            CHECK(std::abs(renewal_efficiency(run, Seconds{1800}) - simulated.mean) <
                  3.3 * simulated.error);
        }
}

TEST_CASE("the optimum of an empirical curve beats its surroundings and Young's rule") {
    const RenewalRun run{synchronous, Seconds{300}, infant_mortality(), {}};
    const Seconds best = optimal_interval(run);
    const double efficiency = renewal_efficiency(run, best);
    CHECK(efficiency > renewal_efficiency(run, young_interval(Seconds{60}, run.life.mean())));
    CHECK(check_property("no other interval is better", [&] {
        const double factor = std::pow(10.0, drawn::in_range(-1000, 1000) / 1000.0);
        // Steps make many optima; the grid may miss one by its width.
        RC_ASSERT(renewal_efficiency(run, best * factor) <= efficiency * (1 + 1e-3));
    }));
}

TEST_CASE("a life of one length is best saved at its very end") {
    // Almost every life is 1000 s; one dump of 10 s, no restart: 990 s of 1000 are kept.
    const SurvivalFunction same{{{Seconds{999.999}, 1.0}, {Seconds{1000}, 0.0}}};
    const RenewalRun run{{Seconds{10}, Seconds{}, 0}, Seconds{}, same, {}};
    CHECK(renewal_efficiency(run, Seconds{989.9}) == doctest::Approx(0.9899).epsilon(1e-4));
    CHECK(optimal_interval(run).count() == doctest::Approx(990).epsilon(0.01));
}

TEST_CASE("a renewal run must be possible") {
    const RenewalRun run{asynchronous, Seconds{300}, infant_mortality(), {}};
    CHECK_THROWS_AS((void)renewal_efficiency(run, Seconds{100}), ModelError);
    CHECK_THROWS_AS((void)renewal_efficiency(run, Seconds{-1}), ModelError);
    const RenewalRun free{{}, Seconds{300}, infant_mortality(), {}};
    CHECK_THROWS_AS((void)optimal_interval(free), ModelError);
}

} // namespace bursar::renewal_efficiency_test
