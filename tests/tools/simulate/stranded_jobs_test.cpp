#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "tools/simulate/run_scenario.hpp"

namespace bursar::test::stranded_jobs_test {
namespace {

/// A job of two nodes, under a quota of two that includes a warm node of another pool, and a job of
/// one node.
Result result_of(const std::string& top) {
    const std::string text = "bursar: 1\n"
                             "workload:\n"
                             "  jobs:\n"
                             "    - {name: small, gpus: 8, duration: 1 h}\n"
                             "    - {name: large, gpus: 16, duration: 1 h, submit: 1 min}\n"
                             "fleet:\n"
                             "  - {pool: p, purchase: on_demand, gpu: H100, nodes: 0..4,\n"
                             "     gpus_per_node: 8, price: 1 USD/gpu-h}\n"
                             "  - {pool: q, purchase: on_demand, gpu: T4, nodes: 0..1,\n"
                             "     gpus_per_node: 1, price: 1 USD/gpu-h, provisioning: {warm: 1}}\n"
                             "quotas: [{pools: [p, q], nodes: 2}]\n" +
                             top;
    return run_scenario(load_scenario({.file = "s.yaml", .text = text}), {});
}

bool warns(const Result& result) {
    return std::ranges::find(result.run.warnings,
                             "1 job waits to the end of the run, where it can never start: "
                             "\"large\", of 16 GPUs") != result.run.warnings.end();
}

} // namespace

TEST_CASE("a job that can never run is named at the end of the run") {
    const Result result = result_of({});
    CHECK(result.num_finished == 1);
    CHECK(warns(result));
    CHECK(!warns(result_of("until: 5 h\n"))); // it could have run later
}

TEST_CASE("events of the world bill nothing after the last job that can start") {
    // No job fits on q, to which `more` gives events that never end.
    const auto result_with = [](const std::string& more, const std::string& jobs) {
        const std::string text =
            "bursar: 1\n"
            "workload:\n"
            "  jobs:\n"
            "    - {name: first, gpus: 8, duration: 1 h}\n" +
            jobs +
            "policy: {head: skip}\n"
            "fleet:\n"
            "  - {pool: p, purchase: owned, gpu: H100, nodes: 1, gpus_per_node: 8,\n"
            "     price: 1 USD/gpu-h}\n"
            "  - {pool: q, purchase: owned, gpu: T4, nodes: 1, gpus_per_node: 1,\n"
            "     price: 1 USD/gpu-h" +
            more + "}\n";
        return run_scenario(load_scenario({.file = "s.yaml", .text = text}), {});
    };
    const std::string second = "    - {name: second, gpus: 8, duration: 1 h, submit: 10 min}\n";
    const std::string budget = "budgets: [{pool: p, limit: 4 USD, then: stop-admitting}]\n";
    for (const std::string more : {", maintenance: {every: 7 d, length: 4 h, nodes: 1}",
                                   ", failures: {per_node_day: 0.1, repair: 1 h}"}) {
        CAPTURE(more);
        const Result all = result_with(more, second);
        CHECK(all.num_finished == 2);
        CHECK(all.end == 2 * hour);
        const Result left = result_with(more, second + budget);
        CHECK(left.num_finished == 1);
        CHECK(left.end == hour);
        CHECK(std::ranges::count(left.run.warnings,
                                 "1 job waits to the end of the run, where a budget is spent: "
                                 "\"second\", of 8 GPUs") == 1);
    }
}

} // namespace bursar::test::stranded_jobs_test
