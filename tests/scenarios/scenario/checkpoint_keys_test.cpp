#include <doctest/doctest.h>

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/workload.hpp"
#include "scenarios/scenario/read_scenario.hpp"

#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::checkpoint_keys_test {
namespace {

Scenario read(const std::string& job_class) {
    return read_scenario_text("bursar: 1\n"
                              "workload:\n"
                              "  jobs: [{name: a, gpus: 1, duration: 1 h}]\n"
                              "  classes: [" +
                                  job_class +
                                  "]\n"
                                  "fleet:\n"
                                  "  - {pool: a, purchase: owned, gpu: V100-SXM2-16GB, nodes: 2,\n"
                                  "     gpus_per_node: 8, price: 1 USD/gpu-h}\n",
                              "s.yaml",
                              {},
                              test::known_names(),
                              builtin_catalogue());
}

/// What a class comes to in the plan.
PlanClass compiled(const std::string& job_class) {
    const Scenario scenario = read(job_class);
    return compile(scenario, builtin_catalogue(), load_workload(scenario, 1)).plan.classes.at(0);
}

std::string mistake(const std::string& job_class) {
    try {
        read(job_class);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("what a preemption costs arrives in the plan") {
    const PlanClass plain = compiled("{startup: 90 s}");
    CHECK(plain.checkpoint == Checkpoint::on_preempt);
    CHECK(plain.recovery == 90 * second);
    CHECK(plain.save == Duration{});
    CHECK(compiled("{startup: 90 s, restart: 0 s}").recovery == Duration{});
    CHECK(compiled("{checkpoint: none}").checkpoint == Checkpoint::none);
    CHECK(compiled("{checkpoint: on-preempt}").checkpoint == Checkpoint::on_preempt);

    const PlanClass saved = compiled("{checkpoint: {every: 15 min, save: 4 s, mode: sync}}");
    CHECK(saved.checkpoint == Checkpoint::every);
    CHECK(saved.interval == 15 * minute);
    CHECK(saved.save == 4 * second);
    const PlanClass once = compiled("{checkpoint: {save: 4 s}}");
    CHECK(once.checkpoint == Checkpoint::on_preempt);
    CHECK(once.save == 4 * second);
    // 20 GB at 3 GB/s: 6,666.67 ms
    CHECK(compiled("{checkpoint: {every: 1 h, size: 20 GB, write: 3 GB/s}}").save ==
          Duration{6667});
}

TEST_CASE("checkpoints that are half said are mistakes") {
    const std::pair<std::string, std::string> cases[] = {
        {"none", ""},
        {"sometimes", "checkpoint: unknown name \"sometimes\"; one of: on-preempt, none"},
        {"{every: 15 min}", "checkpoint: has no duration of a save; add save, or size and write"},
        {"{size: 20 GB}",
         "checkpoint: size and write need each other (a save takes size over write)"},
        {"{save: 4 s, size: 20 GB, write: 1 GB/s}",
         "checkpoint.size: cannot be combined with save (give one of them)"},
        {"{every: 0 s, save: 1 s}", "checkpoint.every: \"0 s\" is zero (a duration above zero)"},
        {"{save: 1 s, mode: async}",
         "checkpoint.mode: unknown name \"async\"; did you mean \"sync\"?"},
    };
    for (const auto& [checkpoint, message] : cases) {
        CAPTURE(checkpoint);
        const std::string text = mistake("{checkpoint: " + checkpoint + "}");
        const std::size_t at = text.find("checkpoint");
        CHECK((at == std::string::npos ? "" : text.substr(at)) == message);
    }
}

} // namespace bursar::checkpoint_keys_test
