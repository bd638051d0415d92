#pragma once

#include <cmath>
#include <cstdint>

#include <doctest/doctest.h>

#include "tools/simulate/run_scenario.hpp"

namespace bursar::test {

/// The share of the run without work, over seeds.
struct MeanWaste {
    double mean{};
    double error{}; ///< standard error of the mean
};

/// For a scenario with one job of `work_hours` of work, which is as long as its run; seeds from 1
/// on.
inline MeanWaste mean_waste(const LoadedScenario& job, double work_hours, int num_seeds) {
    double sum = 0;
    double squares = 0;
    for (int seed = 1; seed <= num_seeds; ++seed) {
        const Result result = run_scenario(job, {.seed = static_cast<std::uint64_t>(seed)});
        REQUIRE(result.num_finished == 1);
        const double waste = 1 - work_hours * 3.6e6 / static_cast<double>(result.end.count());
        sum += waste;
        squares += waste * waste;
    }
    const double mean = sum / num_seeds;
    return {mean, std::sqrt((squares / num_seeds - mean * mean) / (num_seeds - 1))};
}

} // namespace bursar::test
