#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/reliability/failure_rate.hpp"

namespace bursar::failure_rate_test {

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

} // namespace bursar::failure_rate_test
