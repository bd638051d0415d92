#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "models/reliability/checkpoint_interval.hpp"
#include "models/reliability/expected_efficiency.hpp"

#include "tools/simulate/run_scenario.hpp"

// Runs that save and fail, against Daly's closed form: over save, restart, time between failures
// and nodes of the gang.
namespace bursar::test::checkpoint_cadence_test {
namespace {

/// Times of saves and failures in a run.
struct Setting {
    Duration save, restart, mtbf; ///< of the whole gang
    int nodes{1};
};

std::vector<Setting> grid() {
    std::vector<Setting> all;
    for (const Duration save : {minute, 5 * minute, 20 * minute})
        for (const Duration restart : {minute, 10 * minute, hour})
            for (const Duration mtbf : {6 * hour, 24 * hour})
                for (const int nodes : {1, 4, 32})
                    all.push_back({save, restart, mtbf, nodes});
    return all;
}

Seconds seconds(Duration span) {
    return Seconds{static_cast<double>(span.count()) / 1000};
}

/// Long enough for some hundred failures.
Duration work_of(const Setting& of) {
    return 200 * of.mtbf;
}

/// One gang on nodes whose failure rate gives the gang the mean time `mtbf`.
LoadedScenario long_job(const Setting& of, const std::string& when) {
    return load_scenario(
        {.file = "long.yaml",
         .text = fmt::format("bursar: 1\n"
                             "workload:\n"
                             "  jobs: [{{name: a, gpus: {}, duration: {} ms}}]\n"
                             "  classes: [{{startup: {} ms, checkpoint: {{{}, save: {} ms}}}}]\n"
                             "fleet:\n"
                             "  - {{pool: p, purchase: owned, gpu: H100, nodes: {},\n"
                             "     gpus_per_node: 8, price: 1 USD/gpu-h,\n"
                             "     failures: {{per_node_day: {:.17g}, repair: 1 ms}}}}\n",
                             8 * of.nodes,
                             work_of(of).count(),
                             of.restart.count(),
                             when,
                             of.save.count(),
                             of.nodes,
                             static_cast<double>((24 * hour).count()) /
                                 static_cast<double>(of.mtbf.count() * of.nodes))});
}

/// Share of the time that is not kept work, over seeds.
struct Waste {
    double mean{};
    double error{}; ///< of the mean
};

Waste waste_of(const Setting& of, const std::string& when, int num_seeds) {
    const LoadedScenario job = long_job(of, when);
    double sum = 0;
    double squares = 0;
    for (int seed = 1; seed <= num_seeds; ++seed) {
        const Result result = run_scenario(job, {.seed = seed});
        REQUIRE(result.num_finished == 1);
        const double waste =
            1 - static_cast<double>(work_of(of).count()) / static_cast<double>(result.end.count());
        sum += waste;
        squares += waste * waste;
    }
    const double mean = sum / num_seeds;
    return {mean, std::sqrt(std::max(0.0, squares / num_seeds - mean * mean) / (num_seeds - 1))};
}

Duration daly_of(const Setting& of) {
    return Duration{
        std::llround(std::ceil(1000 * daly_interval(seconds(of.save), seconds(of.mtbf)).count()))};
}

double expected_waste(const Setting& of, Duration every) {
    return 1 - expected_shares({{seconds(of.save), {}, 0}, seconds(of.restart), seconds(of.mtbf)},
                               seconds(every))
                   .useful;
}

std::string every(Duration interval) {
    return fmt::format("every: {} ms", interval.count());
}

} // namespace

TEST_CASE("what young-daly wastes equals Daly's closed form, for any gang") {
    for (const Setting& one : grid()) {
        CAPTURE(one.save.count());
        CAPTURE(one.restart.count());
        CAPTURE(one.mtbf.count());
        CAPTURE(one.nodes);
        const Waste found = waste_of(one, "when: young-daly", 24);
        const double expected = expected_waste(one, daly_of(one));
        CHECK(found.error < 0.02);
        CHECK(std::abs(found.mean - expected) < 2.8 * found.error); // 99 % of 24
    }
}

TEST_CASE("no cadence of a sweep wastes 2 % less than young-daly's choice") {
    for (const Setting& one : grid()) {
        if (one.nodes != 4)
            continue;
        CAPTURE(one.save.count());
        CAPTURE(one.restart.count());
        CAPTURE(one.mtbf.count());
        const double chosen = waste_of(one, "when: young-daly", 24).mean;
        double best = chosen;
        for (const double factor : {0.5, 0.7, 0.8, 0.9, 1.1, 1.2, 1.4, 2.0}) {
            const Duration interval{
                std::llround(factor * static_cast<double>(daly_of(one).count()))};
            best = std::min(best, waste_of(one, every(interval), 24).mean);
        }
        CHECK(chosen <= 1.02 * best);
    }
}

} // namespace bursar::test::checkpoint_cadence_test
