#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "sim/plan/plan_view.hpp"

#include "policies/runs/simulate.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/features/gang_risks.hpp"
#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::gang_risks_test {
namespace {

/// Jobs of one node on a pool of ten, one after the other, several at a time.
Scenario read(const std::string& pool, const std::string& jobs = "duration: 50 h") {
    return read_scenario_text("bursar: 1\n"
                              "workload:\n"
                              "  jobs: [{name: a, gpus: 8, " +
                                  jobs +
                                  "}]\n"
                                  "fleet:\n"
                                  "  - {pool: p, purchase: spot, gpu: H100, gpus_per_node: 8,\n"
                                  "     price: 1 USD/gpu-h, " +
                                  pool +
                                  "}\npolicy: {broker: cheapest-including-risk, capacity: count}\n",
                              "s.yaml",
                              {},
                              test::known_names(),
                              builtin_catalogue());
}

Compiled compiled(const Scenario& scenario) {
    return compile(scenario, builtin_catalogue(), load_workload(scenario, scenario.policy.seed));
}

const std::string ten_nodes =
    "nodes: 0..10, availability: {generate: {up: 10 h, down: 5 h, correlation: 0}}";

} // namespace

TEST_CASE("a gang on a pool with little use is reclaimed less often than on one in full use") {
    const Scenario scenario = read(ten_nodes);
    CHECK(gang_risk_of(scenario, 0, {}, 1, 10).reclaims == doctest::Approx(0.1));
    const double of_one = gang_risk_of(scenario, 0, {}, 1, 1).reclaims;
    CHECK(of_one < 0.001); // all ten must be gone
    const Plan plan = compiled(scenario).plan;
    CHECK(nodes_in_use(scenario, plan, 1000 * day)[0] == 1);
    REQUIRE(plan.gang_risks.size() == 1);
    CHECK(plan.gang_risks[0].reclaims == of_one);
    const Scenario fixed =
        read("nodes: 10, availability: {generate: {up: 10 h, down: 5 h, correlation: 0}}");
    CHECK(nodes_in_use(fixed, compiled(fixed).plan, 1000 * day)[0] == 10);
}

TEST_CASE("jobs are reclaimed as often as predicted") {
    // Six jobs at a time for 50 days on ten nodes, each node up for 10 h of 15.
    const Scenario base = read(ten_nodes, "duration: 1200 h, count: 6, every: 1 s");
    const Plan believed = compiled(base).plan;
    CHECK(nodes_in_use(base, believed, 1000 * day)[0] == 6);
    double stops = 0;
    double hours = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Scenario scenario = base;
        scenario.policy.seed = seed;
        scenario.until = 50 * day;
        const Plan plan = compiled(scenario).plan;
        Workspace workspace;
        const JobRows jobs =
            simulate(
                plan, order_for(plan, scenario.policy), scenario.policy, Record::jobs, workspace)
                .jobs;
        for (const StoppedAttempt& attempt : jobs.stopped) {
            ++stops;
            hours += static_cast<double>(attempt.stop_ms - attempt.start_ms) / 3.6e6;
        }
        for (std::size_t job = 0; job < jobs.phase.size(); ++job)
            if (jobs.phase[job] == JobPhase::running)
                hours += static_cast<double>((50 * day).count() - jobs.last_start(job)) / 3.6e6;
    }
    CHECK(stops > 1000);
    // 0.050 an hour, where 0.043 is predicted, and 0.1 for a pool in full use.
    const double rate = stops / hours;
    CHECK(rate < 1.2 * believed.gang_risks[0].reclaims);
    CHECK(rate > 0.8 * believed.gang_risks[0].reclaims);
    CHECK(rate < 0.6 * gang_risk_of(base, 0, {}, 1, 10).reclaims);
}

TEST_CASE("a price above a bid reclaims nodes, also those of jobs that save by young-daly") {
    const std::string price = "{generate: {family: mean-reverting, mean: 1 USD/gpu-h, floor: 0.5 "
                              "USD/gpu-h, ceiling: 2 USD/gpu-h, memory: 1 d, every: 1 h, swing: "
                              "0.2}}";
    const std::string text = "nodes: 2, availability: {bid: 1.1 USD/gpu-h}";
    const Scenario priced = read_scenario_text("bursar: 1\n"
                                               "workload:\n"
                                               "  jobs: [{name: a, gpus: 8, duration: 50 h}]\n"
                                               "fleet:\n"
                                               "  - {pool: p, purchase: spot, gpu: H100,\n"
                                               "     gpus_per_node: 8, price: " +
                                                   price + ", " + text + "}\n",
                                               "s.yaml",
                                               {},
                                               test::known_names(),
                                               builtin_catalogue());
    const double of_one = gang_risk_of(priced, 0, {}, 1, 2).reclaims;
    CHECK(of_one > 1.0 / 1000); // several times a week
    CHECK(of_one < 1);
    CHECK(gang_risk_of(priced, 0, {}, 2, 2).reclaims == of_one); // all are reclaimed together
}

} // namespace bursar::gang_risks_test
