#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/tools/program.hpp"

// attempts.csv has the cost of work that a broker believed in.
namespace bursar::test::broker_beliefs_test {
namespace {

using Row = std::map<std::string, std::string>;

/// A job of an hour on each of two spot GPUs, one of half the price and speed, then on the owned
/// one.
std::vector<Row> attempts(const std::string& broker) {
    const TemporaryFolder folder;
    const std::string scenario = fmt::format(R"(
bursar: 1
workload:
  jobs:
    - {{name: a, gpus: 1, duration: 1 h, count: 3, every: 1 s}}
  classes:
    - {{speed: {{A100-SXM4-80GB: 2, V100-SXM2-16GB: 1}}}}
fleet:
  - {{pool: owned, purchase: owned, gpu: V100-SXM2-16GB, nodes: 1, gpus_per_node: 1,
     price: 9 USD/gpu-h}}
  - {{pool: slow, purchase: spot, gpu: V100-SXM2-16GB, nodes: 1, gpus_per_node: 1,
     price: 1 USD/gpu-h}}
  - {{pool: fast, purchase: spot, gpu: A100-SXM4-80GB, nodes: 1, gpus_per_node: 1,
     price: 1.5 USD/gpu-h}}
policy: {{broker: {}}}
)",
                                             broker);
    const Answer answer =
        bursar({"run", folder.write("b.yaml", scenario), "--out", folder.file("out")});
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    return read_plain_csv(read_file(folder.file("out/attempts.csv")));
}

} // namespace

TEST_CASE("attempts have the broker's believed cost of a GPU-hour of work") {
    const std::vector<Row> now = attempts("cheapest-now");
    REQUIRE(now.size() == 3);
    CHECK(now[0].at("pool") == "owned");
    CHECK(now[0].at("believed_usd_per_gpu_hour") == "0.0");
    CHECK(now[1].at("pool") == "slow");
    CHECK(now[1].at("believed_usd_per_gpu_hour") == "1.0");
    CHECK(now[2].at("pool") == "fast");
    CHECK(now[2].at("believed_usd_per_gpu_hour") == "1.5");
    const std::vector<Row> risk = attempts("cheapest-including-risk");
    REQUIRE(risk.size() == 3);
    CHECK(risk[1].at("pool") == "fast"); // at twice the speed
    CHECK(risk[1].at("believed_usd_per_gpu_hour") == "0.75");
    CHECK(risk[2].at("pool") == "slow");
    CHECK(risk[2].at("believed_usd_per_gpu_hour") == "1.0");
    CHECK(attempts("owned-first")[0]["believed_usd_per_gpu_hour"]
              .empty()); // this broker uses no cost
}

} // namespace bursar::test::broker_beliefs_test
