#include <algorithm>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/properties.hpp"
#include "tools/simulate/run_scenario.hpp"

namespace bursar::test::stranded_jobs_test {
namespace {

Result result_of_text(const std::string& text) {
    return run_scenario(load_scenario({.file = "s.yaml", .text = text}), {});
}

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
    return result_of_text(text);
}

/// Pool q of one GPU. more_of_q: its other keys. rest: pools, policy, budgets.
std::string
with_pool_q(const std::string& more_of_q, const std::string& jobs, const std::string& rest) {
    return "bursar: 1\n"
           "workload:\n"
           "  jobs:\n" +
           jobs +
           "fleet:\n"
           "  - {pool: q, purchase: owned, gpu: T4, nodes: 1, gpus_per_node: 1,\n"
           "     price: 1 USD/gpu-h" +
           more_of_q + "}\n" + rest;
}

constexpr const char* maintenance = ", maintenance: {every: 70 d, length: 4 d, nodes: 1}";
constexpr const char* failures = ", failures: {per_node_day: 0.01, repair: 1 d}";

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
        return result_of_text(
            "bursar: 1\n"
            "workload:\n"
            "  jobs:\n"
            "    - {name: first, gpus: 8, duration: 1 h}\n" +
            jobs +
            "policy: {head: skip}\n"
            "fleet:\n"
            "  - {pool: p, purchase: owned, gpu: H100, nodes: 1,\n"
            "     gpus_per_node: 8, price: 1 USD/gpu-h}\n"
            "  - {pool: q, purchase: owned, gpu: T4, nodes: 1, gpus_per_node: 1,\n"
            "     price: 1 USD/gpu-h" +
            more + "}\n");
    };
    const std::string second = "    - {name: second, gpus: 8, duration: 1 h, submit: 10 min}\n";
    const std::string budget = "budgets: [{pool: p, limit: 4 USD, then: stop-admitting}]\n";
    for (const std::string more : {maintenance, failures}) {
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

TEST_CASE("a run ends with its last job where another can never start, whatever the cause") {
    struct Cause {
        std::string name;
        int gpus{}; ///< of the job that waits, which is submitted at 10 min
        std::string pool_and_policy;
    };
    const std::string spot = "  - {pool: p, purchase: spot, gpu: H100, gpus_per_node: 8, ";
    const std::string owned = "  - {pool: p, purchase: owned, gpu: H100, gpus_per_node: 8, "
                              "price: 1 USD/gpu-h, ";
    const std::string drawn_price =
        "price: {generate: {family: mean-reverting, mean: 2 USD/gpu-h, floor: 1 USD/gpu-h,\n"
        "     ceiling: 4 USD/gpu-h, every: 5 d, swing: 0.3, memory: 20 d}}, ";
    for (const Cause& cause : {
             Cause{"a bid below every price, of a range",
                   8,
                   spot + "nodes: 0..1, " + drawn_price + "availability: {bid: 0.9 USD/gpu-h}}\n"},
             Cause{"a bid below every price, of a fixed number of nodes",
                   8,
                   spot + "nodes: 1, " + drawn_price + "availability: {bid: 0.9 USD/gpu-h}}\n"},
             Cause{"drawn availability that is never two nodes",
                   16,
                   spot +
                       "nodes: 0..2, price: 2 USD/gpu-h,\n"
                       "     availability: {generate: {up: 1 s, down: 300 d, correlation: 0}}}\n"},
             Cause{"nodes that are maintained one after the other, without a gap",
                   16,
                   owned +
                       "nodes: 2,\n"
                       "     maintenance: {first: 0 s, every: 30 d, length: 30 d, nodes: 1}}\n"},
             Cause{"gaps of maintenance that are all drain",
                   8,
                   owned + "nodes: 1,\n"
                           "     maintenance: {first: 5 min, every: 40 d, length: 10 d,\n"
                           "                   drain: 30 d}}\n"},
             Cause{"gaps of maintenance without a round",
                   8,
                   owned + "nodes: 1,\n"
                           "     maintenance: {first: 0 s, every: 30 d, length: 1 h}}\n"
                           "policy: {rounds: 30 d}\n"},
         }) {
        for (const std::string more_of_q : {"", maintenance, failures}) {
            CAPTURE(cause.name);
            CAPTURE(more_of_q);
            const Result result = result_of_text(with_pool_q(
                more_of_q,
                fmt::format("    - {{name: first, gpus: 1, duration: 1 h}}\n"
                            "    - {{name: second, gpus: {}, duration: 1 h, submit: 10 min}}\n",
                            cause.gpus),
                cause.pool_and_policy));
            CHECK(result.num_finished == 1);
            CHECK(result.end == hour);
            CHECK(std::ranges::count(
                      result.run.warnings,
                      fmt::format("1 job waits to the end of the run, where it can never start: "
                                  "\"second\", of {} GPUs",
                                  cause.gpus)) == 1);
        }
    }
}

TEST_CASE("a world is not drawn to its end for jobs that a budget keeps from starting") {
    // Over 34.8 years the nodes of q would fail more often than can be drawn.
    const std::string rest =
        "  - {pool: p, purchase: owned, gpu: H100, nodes: 1, gpus_per_node: 8,\n"
        "     price: 1 USD/gpu-h}\n"
        "policy: {head: skip}\n"
        "budgets: [{TENANT limit: 4 USD, then: stop-admitting}]\n";
    for (const std::string scope : {"pool: p,", "tenant: one,"}) {
        CAPTURE(scope);
        std::string text = with_pool_q(", failures: {per_node_day: 1440, repair: 1 s}",
                                       "    - {name: run, gpus: 8, duration: 1 h, tenant: one}\n"
                                       "    - {name: wait, gpus: 8, duration: 1 h, submit: 10 min, "
                                       "tenant: one}\n",
                                       rest);
        text.replace(text.find("TENANT"), 6, scope);
        const Result result = result_of_text(text);
        CHECK(result.num_finished == 1);
        CHECK(result.end == hour);
        CHECK(std::ranges::count(result.run.warnings,
                                 "1 job waits to the end of the run, where a budget is spent: "
                                 "\"wait\", of 8 GPUs") == 1);
    }
}

TEST_CASE("events of a pool that no job can use do not move the end of a run") {
    CHECK(check_property([] {
        std::string jobs;
        for (int i = drawn::in_range(1, 6); i > 0; --i) {
            const int gpus = drawn::one_of(2, 8, 8, 16);
            const int days = drawn::in_range(1, 6);
            const int submit = drawn::in_range(0, 10);
            jobs += fmt::format("    - {{name: j{}, gpus: {}, duration: {} d, submit: {} d}}\n",
                                i,
                                gpus,
                                days,
                                submit);
        }
        std::string rest = fmt::format(
            "  - {{pool: p, purchase: spot, gpu: H100, gpus_per_node: 8,\n"
            "     price: 1 USD/gpu-h, nodes: {}{}}}\n"
            "policy: {{head: {}}}\n",
            drawn::one_of("2", "0..2", "1..2"),
            drawn::one_of("", ", availability: {generate: {up: 9 d, down: 9 d, correlation: 0}}"),
            drawn::one_of("skip", "block"));
        if (drawn::boolean())
            rest += fmt::format("budgets: [{{pool: p, limit: {} USD, then: {}}}]\n",
                                drawn::in_range(1, 4'000),
                                drawn::one_of("stop-admitting", "stop-jobs"));
        const Result quiet = result_of_text(with_pool_q("", jobs, rest));
        const Result noisy =
            result_of_text(with_pool_q(drawn::one_of(maintenance, failures), jobs, rest));
        RC_ASSERT(noisy.num_finished == quiet.num_finished);
        RC_ASSERT(noisy.end == quiet.end);
        RC_ASSERT(noisy.jobs.finish_ms == quiet.jobs.finish_ms);
    }));
}

} // namespace bursar::test::stranded_jobs_test
