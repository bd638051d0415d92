#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/reliability/interruption.hpp"

namespace bursar::interruption_test {

TEST_CASE("a notice long enough saves all work; a shorter one saves none") {
    const CheckpointedRun run{{Seconds{60}, Seconds{}, 0}, Seconds{600}, Seconds{36000}};
    const NoticedInterruption enough = noticed_interruption(run, Seconds{1000}, Seconds{60});
    CHECK(enough.saved);
    CHECK(enough.lost_work == Seconds{});
    CHECK(enough.cost == Seconds{660});
    const NoticedInterruption late = noticed_interruption(run, Seconds{1000}, Seconds{59});
    CHECK_FALSE(late.saved);
    CHECK(late.lost_work == Seconds{530});
    CHECK(late.cost == Seconds{1130});
}

TEST_CASE("a background write must also end within the notice") {
    const CheckpointedRun run{{Seconds{10}, Seconds{110}, 0}, Seconds{600}, Seconds{36000}};
    CHECK(noticed_interruption(run, Seconds{1000}, Seconds{120}).saved);
    CHECK(noticed_interruption(run, Seconds{1000}, Seconds{119}).lost_work == Seconds{615});
    CHECK_THROWS_AS((void)noticed_interruption(run, Seconds{1000}, Seconds{-1}), ModelError);
    CHECK_THROWS_AS((void)noticed_interruption(run, Seconds{0}, Seconds{1}), ModelError);
}

TEST_CASE("an elastic job trades waiting for slower steps and two reshards") {
    const Outage outage{.until_replaced = Seconds{3600},
                        .restart = Seconds{400},
                        .reshard = Seconds{100},
                        .full_step = Seconds{7},
                        .reduced_step = Seconds{8}};
    const OutageCost cost = outage_cost(outage);
    CHECK(cost.waiting == Seconds{4000});
    CHECK(cost.continuing.count() == doctest::Approx(200 + 3500.0 / 8));
    Outage brief = outage;
    brief.until_replaced = Seconds{10};
    CHECK(outage_cost(brief).continuing == Seconds{200});
    Outage faster = outage;
    faster.reduced_step = Seconds{6};
    CHECK_THROWS_AS((void)outage_cost(faster), ModelError);
    faster.reduced_step = Seconds{0};
    CHECK_THROWS_AS((void)outage_cost(faster), ModelError);
}

// FORMULAS 6.4.
TEST_CASE("failures of a job add to those of its nodes") {
    CHECK(mean_time_between_failures({1.5, 0.01}, 50) == Seconds{seconds_per_day / 2});
    CHECK(mean_time_between_failures({0, 0.5}, 4) == Seconds{seconds_per_day / 2});
}

TEST_CASE("preemptions add to failures; nothing that fails is an error") {
    CHECK(mean_time_between_failures({1, 0}, 10, 1) == Seconds{seconds_per_day / 2});
    CHECK_THROWS_WITH_AS((void)mean_time_between_failures({0, 0}, 10),
                         "failures: nothing ever fails; give a rate above zero",
                         ModelError);
    CHECK_THROWS_AS((void)mean_time_between_failures({-1, 0}, 10), ModelError);
    CHECK_THROWS_AS((void)mean_time_between_failures({1, 0}, 0), ModelError);
}

} // namespace bursar::interruption_test
