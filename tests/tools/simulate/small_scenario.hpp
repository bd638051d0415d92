#pragma once

#include <string>

#include "tools/simulate/load_scenario.hpp"

/// Scenarios whose bills can be computed by hand.
namespace bursar::test {

/// Two jobs of 8 GPUs and an hour each on one node at 1 USD per GPU-hour: the second waits for the
/// first, so the node is paid for two hours, 16 USD.
inline ScenarioSource two_jobs() {
    return {.file = "two_jobs.yaml",
            .text = "bursar: 1\n"
                    "name: two jobs\n"
                    "workload:\n"
                    "  jobs:\n"
                    "    - {name: a, gpus: 8, duration: 1 h}\n"
                    "    - {name: b, gpus: 8, duration: 1 h, submit: 30 min}\n"
                    "fleet:\n"
                    "  - {pool: p, purchase: owned, gpu: V100-SXM2-16GB, nodes: 1, "
                    "gpus_per_node: 8, price: 1 USD/gpu-h}\n"};
}

/// A workload that differs for each seed.
inline ScenarioSource synthetic() {
    return {.file = "synthetic.yaml",
            .text = "bursar: 1\n"
                    "workload:\n"
                    "  synthetic: {like: philly, jobs: 60, gpus: 64}\n"
                    "fleet:\n"
                    "  - {pool: p, purchase: owned, gpu: V100-SXM2-16GB, nodes: 8, "
                    "gpus_per_node: 8, price: 1 USD/gpu-h}\n"};
}

} // namespace bursar::test
