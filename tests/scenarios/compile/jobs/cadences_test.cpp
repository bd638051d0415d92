#include <algorithm>
#include <cmath>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "models/reliability/checkpoint_interval.hpp"

#include "sim/plan/plan_view.hpp"

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::cadences_test {
namespace {

/// Gangs of 8 and of 32 GPUs of a class with young-daly: on a pool that fails, on one that is
/// reclaimed, and on one without events.
Compiled compiled(const std::string& checkpoint, const std::string& spot = "notice: 2 min") {
    const Scenario scenario = read_scenario_text(
        fmt::format(
            "bursar: 1\n"
            "workload:\n"
            "  jobs: [{{name: a, gpus: 8, duration: 9 h}},\n"
            "         {{name: b, gpus: 32, duration: 9 h}}]\n"
            "  classes: [{{checkpoint: {}}}]\n"
            "fleet:\n"
            "  - {{pool: own, purchase: owned, gpu: H100, nodes: 8, gpus_per_node: 8,\n"
            "     price: 1 USD/gpu-h, failures: {{per_node_day: 1, repair: 1 h}}}}\n"
            "  - {{pool: cheap, purchase: spot, gpu: H100, nodes: 8, gpus_per_node: 8,\n"
            "     price: 1 USD/gpu-h,\n"
            "     availability: {{{}, generate: {{up: 10 h, down: 1 h, correlation: 0}}}}}}\n"
            "  - {{pool: calm, purchase: owned, gpu: H100, nodes: 8, gpus_per_node: 8,\n"
            "     price: 1 USD/gpu-h}}\n",
            checkpoint,
            spot),
        "s.yaml",
        {},
        test::known_names(),
        builtin_catalogue());
    return compile(scenario, builtin_catalogue(), load_workload(scenario, 1));
}

std::int64_t interval_ms(const Compiled& run, std::size_t job, std::size_t pool) {
    return run.plan.speed_of(job, pool)->interval_ms;
}

std::int64_t daly_ms(double save_s, double mtbf_h) {
    const Seconds best = daly_interval(Seconds{save_s}, Seconds{3600 * mtbf_h});
    return static_cast<std::int64_t>(std::ceil(1000 * best.count()));
}

} // namespace

TEST_CASE("young-daly saves at the interval for each pool's interruptions of a gang of its size") {
    const Compiled run = compiled("{when: young-daly, save: 5 min}");
    CHECK(interval_ms(run, 0, 0) == daly_ms(300, 24));
    CHECK(interval_ms(run, 1, 0) == daly_ms(300, 6));
    CHECK(interval_ms(run, 0, 1) == daly_ms(300, 10));
    CHECK(interval_ms(run, 1, 1) == daly_ms(300, 2.5));
    CHECK(interval_ms(run, 0, 2) == horizon_ms);
    for (std::size_t pool = 0; pool < 3; ++pool)
        CHECK(run.plan.speed_of(0, pool)->speed == reference_speed);
    // While the pool is unknown: as on the first pool that is tried.
    const std::uint16_t first = run.plan.pool_preference.front();
    CHECK(run.plan.classes[run.plan.job_class[0]].interval.count() == interval_ms(run, 0, first));
}

TEST_CASE("reclaims with enough notice do not count if jobs save on it") {
    const std::string on_notice = "{when: [young-daly, on-notice], save: 1 min}";
    CHECK(interval_ms(compiled(on_notice), 0, 1) == horizon_ms);
    CHECK(interval_ms(compiled(on_notice, "notice: 59 s"), 0, 1) == daly_ms(60, 10));
    CHECK(interval_ms(compiled("{when: young-daly, save: 1 min}"), 0, 1) == daly_ms(60, 10));
}

TEST_CASE("a background save counts with its blocking time, and gets time to finish") {
    const std::string async = "{when: young-daly, save: %, mode: async, blocks: 5 s}";
    const auto saving = [&](const std::string& time) {
        std::string text = async;
        return compiled(text.replace(text.find('%'), 1, time));
    };
    CHECK(interval_ms(saving("1 min"), 0, 0) == daly_ms(5, 24));
    CHECK(interval_ms(saving("1 h"), 0, 0) == (hour - 5 * second).count());
    const Compiled parts =
        compiled("{when: young-daly, save: 60 s, mode: incremental, full_every: 4, changed: 0.1}");
    CHECK(interval_ms(parts, 0, 0) == daly_ms((60 + 3 * 6) / 4.0, 24));
    const auto in_both = [&](const std::string& time) {
        return compiled("{when: young-daly, mode: [async, incremental], blocks: 5 s, full_every: "
                        "4, changed: 0.1, save: " +
                        time + "}");
    };
    CHECK(interval_ms(in_both("1 min"), 0, 0) == daly_ms(5, 24));
    CHECK(interval_ms(in_both("1 h"), 0, 0) == (hour - 5 * second).count());
}

TEST_CASE("the chosen intervals are listed, with their basis") {
    const Compiled run = compiled("{when: young-daly, save: 5 min}");
    const auto says = [&](const std::string& text) {
        return std::ranges::find(run.notes.assumed, text) != run.notes.assumed.end();
    };
    CHECK(says("workload.classes[0] on pool own: young-daly saves every 1.94 h at work (8 GPUs, "
               "interrupted "
               "every 24 h) to every 56.7 min at work (32 GPUs, interrupted every 6 h)"));
    CHECK(says("workload.classes[0] on pool calm: young-daly never saves: nothing that it knows of "
               "interrupts "
               "them there unsaved"));
    CHECK(says("young-daly knows of failures and of reclaims, not of preemptions and maintenance"));
    CHECK(says("pool cheap: young-daly takes reclaims as often as its law has them, of a full "
               "pool"));
    CHECK(compiled("{every: 1 h, save: 5 min}").plan.classes.size() == 1);
}

} // namespace bursar::cadences_test
