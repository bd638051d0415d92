#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "models/reliability/job_failures.hpp"

namespace bursar::job_failures_test {
namespace {

constexpr std::uint32_t num_draws = 40'000;

double failures_to(std::uint32_t n) {
    return static_cast<double>(wear_to_failure(3, 7, n)) / static_cast<double>(wear_per_failure);
}

} // namespace

TEST_CASE("wear from one failure to the next is exponential") {
    std::vector<double> wear;
    double mean = 0;
    for (std::uint32_t n = 0; n < num_draws; ++n) {
        wear.push_back(failures_to(n));
        mean += wear.back() / num_draws;
    }
    CHECK(std::abs(mean - 1) <= 3 / std::sqrt(num_draws)); // its standard deviation is 1, too
    std::ranges::sort(wear);
    double farthest = 0; // Kolmogorov and Smirnov
    for (std::uint32_t i = 0; i < num_draws; ++i)
        farthest = std::max(farthest, std::abs((i + 0.5) / num_draws - (1 - std::exp(-wear[i]))));
    CHECK(farthest <= 1.63 / std::sqrt(num_draws)); // 1 in 100 is farther
    CHECK(wear.back() > 8);                         // more than the fractional part is drawn
    CHECK(wear.front() > 0);
}

TEST_CASE("a failure belongs to its seed, its job and its number") {
    CHECK(wear_to_failure(1, 2, 3) == wear_to_failure(1, 2, 3));
    CHECK(wear_to_failure(1, 2, 3) != wear_to_failure(2, 2, 3));
    CHECK(wear_to_failure(1, 2, 3) != wear_to_failure(1, 3, 3));
    CHECK(wear_to_failure(1, 2, 3) != wear_to_failure(1, 2, 4));
    CHECK(wear_to_failure(1, 2, 3) != wear_to_failure(1, 3, 2));
}

TEST_CASE("a wear is reached at the first whole millisecond not before it") {
    // Once an hour, so that an hour in the mean.
    CHECK(ms_to_wear(wear_per_failure, 1'000'000'000) == 3'600'000);
    CHECK(ms_to_wear(wear_per_failure + 1, 1'000'000'000) == 3'600'001);
    CHECK(ms_to_wear(1, 1'000'000'000) == 1);
    CHECK(ms_to_wear(6, 2) == 3);
    CHECK(ms_to_wear(7, 2) == 4);
}

} // namespace bursar::job_failures_test
