#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::unknown_activations_test {

TEST_CASE("a network without stated activations is trained with a warning") {
    const std::string text = R"(
bursar: 1
workload:
  jobs: [{name: a, gpus: 8}]
  classes:
    - model: {name: own, flops_per_sample: 1 GFLOP, parameters: 1000000}
      steps: 1
      batch: 64 samples
fleet: [{pool: p, purchase: owned, gpu: H100, nodes: 1, gpus_per_node: 8, price: 2 USD/gpu-h}]
)";
    const Scenario scenario =
        read_scenario_text(text, "s.yaml", {}, test::known_names(), builtin_catalogue());
    const Compiled plan = compile(scenario, builtin_catalogue(), load_workload(scenario, 1));
    CHECK(std::ranges::any_of(plan.notes.warnings, [](const std::string& warning) {
        return warning.find("activations_per_sample is not stated: whether a batch fits") !=
               std::string::npos;
    }));
}

} // namespace bursar::unknown_activations_test
