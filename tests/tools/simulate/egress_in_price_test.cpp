#include <string>

#include <doctest/doctest.h>

#include "tools/simulate/run_scenario.hpp"

namespace bursar::test::egress_in_price_test {
namespace {

/// A job of ten hours that begins in the dear pool, as the cheap pool is busy for half an hour. It
/// is stopped after one hour, when both are free; its checkpoint has the given size.
Result run(const std::string& size, const std::string& broker = "cheapest-including-risk") {
    return run_scenario(
        load_scenario(
            {.file = "s.yaml",
             .text =
                 "bursar: 1\n"
                 "workload:\n"
                 "  jobs: [{name: first, gpus: 5, duration: 30 min},\n"
                 "         {name: long, gpus: 8, duration: 10 h, submit: 1 min}]\n"
                 "  classes: [{checkpoint: {size: " +
                 size +
                 ", write: 1 TB/s, store: s3-standard}}]\n"
                 "fleet:\n"
                 "  - {pool: near, purchase: on_demand, gpu: H100, nodes: 2, gpus_per_node: 8,\n"
                 "     price: 3 USD/gpu-h, region: a,\n"
                 "     maintenance: {first: 1 h, every: 100 d, length: 30 min, nodes: 1}}\n"
                 "  - {pool: far, purchase: on_demand, gpu: H100, nodes: 1, gpus_per_node: 8,\n"
                 "     price: 2 USD/gpu-h, region: b}\n"
                 "policy: {broker: " +
                 broker + "}\n"}),
        {});
}

constexpr std::size_t near = 0;
constexpr std::size_t far = 1;

} // namespace

TEST_CASE("a job migrates if that saves more than moving its checkpoint costs") {
    const Result moved = run("100 GB"); // 9 USD for its remaining 40 GPU-hours on average
    REQUIRE(moved.stopped.size() == 1);
    CHECK(moved.stopped.pool[0] == near);
    CHECK(moved.jobs.pool[1] == far);
    REQUIRE(moved.jobs.believed_cost.size() == 2);
    CHECK(moved.jobs.believed_cost[1] == 2'225'000'000);
    CHECK(moved.jobs.believed_cost[0] == 2'000'000'000);
    const Result stayed = run("1 TB"); // 90 USD
    REQUIRE(stayed.stopped.size() == 1);
    CHECK(stayed.jobs.pool[1] == near);
    CHECK(stayed.jobs.believed_cost[1] == stayed.stopped.believed_cost[0]);
    CHECK(run("1 TB", "cheapest-now").jobs.pool[1] == far);
}

} // namespace bursar::test::egress_in_price_test
