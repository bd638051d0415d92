#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>

#include <doctest/doctest.h>

#include "models/reliability/held_per_work.hpp"

namespace bursar::held_per_work_test {
namespace {

/// Time held over work kept of one job, drawn.
double drawn(const InterruptedWork& run, std::uint64_t seed) {
    std::mt19937_64 random{seed};
    std::exponential_distribution<double> life{1 / run.mtbf->count()};
    double held = 0;
    double kept = 0;
    double restart = 0; // the first start is none
    while (kept < run.work.count()) {
        double left = life(random);
        held += std::min(left, restart);
        left -= std::exchange(restart, run.restart.count());
        while (left > 0 && kept < run.work.count()) {
            const double wanted =
                std::min(run.interval.value_or(run.work).count(), run.work.count() - kept);
            const double cycle = wanted + (run.interval ? run.save.count() : 0);
            held += std::min(left, cycle);
            if (run.saves_as_it_ends && left < cycle)
                held += run.save.count();
            if (left >= cycle || run.saves_as_it_ends)
                kept += std::min(left, wanted);
            left -= cycle;
        }
    }
    return held / run.work.count();
}

double mean_drawn(const InterruptedWork& run) {
    constexpr int draws = 4000;
    double sum = 0;
    for (int i = 0; i < draws; ++i)
        sum += drawn(run, static_cast<std::uint64_t>(i));
    return sum / draws;
}

} // namespace

TEST_CASE("without interruptions a job holds its GPUs for its work and its saves") {
    CHECK(held_per_work({Seconds{100}, {}, Seconds{5}, Seconds{9}, false, {}}) == 1);
    CHECK(held_per_work({Seconds{100}, Seconds{20}, Seconds{5}, Seconds{9}, false, {}}) == 1.25);
}

TEST_CASE("what a job holds that is interrupted, against draws") {
    for (const double mtbf : {30.0, 100.0, 1000.0}) {
        CAPTURE(mtbf);
        const InterruptedWork runs[]{
            {Seconds{100}, {}, Seconds{2}, Seconds{5}, true, Seconds{mtbf}},
            {Seconds{100}, {}, Seconds{2}, Seconds{5}, false, Seconds{mtbf}},
            {Seconds{100}, Seconds{10}, Seconds{2}, Seconds{5}, false, Seconds{mtbf}}};
        for (const InterruptedWork& run : runs) {
            const double expected = held_per_work(run);
            const double mean = mean_drawn(run);
            CAPTURE(expected);
            CAPTURE(mean);
            CHECK(std::abs(mean / expected - 1) < 0.04);
        }
    }
}

} // namespace bursar::held_per_work_test
