#include <string>

#include <doctest/doctest.h>

#include "reports/bill/leaf_sums.hpp"
#include "reports/rounding/printed_units.hpp"

#include "tools/simulate/run_scenario.hpp"

namespace bursar::test::checkpoint_costs_test {
namespace {

Result run(const std::string& job, const std::string& checkpoint, const std::string& pools) {
    return run_scenario(load_scenario({.file = "kept.yaml",
                                       .text = "bursar: 1\n"
                                               "workload:\n"
                                               "  jobs: [{name: a, gpus: 8, " +
                                               job + "}]\n  classes: [{checkpoint: {" + checkpoint +
                                               "}}]\nfleet:\n" + pools}),
                        {});
}

std::string pool(const std::string& name, const std::string& keys) {
    return "  - {pool: " + name +
           ", purchase: owned, gpu: H100, nodes: 1, gpus_per_node: 8,\n"
           "     price: 1 USD/gpu-h, " +
           keys + "}\n";
}

double usd(Money cost) {
    return static_cast<double>(cost.count()) / static_cast<double>(money_per_usd);
}

} // namespace

TEST_CASE("storage of checkpoints is paid for besides GPU time") {
    // 100 h of work, and a save of 1 h after every 10 of them: from 11 h until the end at 109 h one
    // of 36 GB is stored, and 9 were written.
    const Result kept = run("duration: 100 h",
                            "every: 10 h, size: 36 GB, write: 10 MB/s, store: s3-standard",
                            pool("p", "region: here"));
    REQUIRE(kept.run.other_costs.size() == 1);
    CHECK(kept.run.other_costs[0].name == "storage");
    const double storage = 36 * 98 / 730.0 * 0.023 + 9 * 0.005 / 1000;
    CHECK(usd(kept.run.other_costs[0].cost) == doctest::Approx(storage).epsilon(1e-7));
    CHECK(usd(other_cost(kept)) == doctest::Approx(storage).epsilon(1e-7));
    CHECK(run("duration: 100 h", "every: 10 h, size: 36 GB, write: 10 MB/s", pool("p", "region: x"))
              .run.other_costs.empty());
}

TEST_CASE("increments are stored and paid for together with their full save") {
    // 41 h of work, stopped for 1 h after every 10 of them. The full save, 36 GB written in 1 h, is
    // stored at 12 h. The increments, of 18 GB in half an hour, follow at 22.5 and 33.5 h. The next
    // full one, which replaces all, is stored at 45 h, as the job ends.
    const Result kept = run("duration: 41 h",
                            "every: 10 h, size: 36 GB, write: 10 MB/s, store: s3-standard, "
                            "mode: [async, incremental], blocks: 1 h, full_every: 3, changed: 0.5",
                            pool("p", "region: here"));
    REQUIRE(kept.run.other_costs.size() == 1);
    const double gb_hours = 36 * (45 - 12) + 18 * (45 - 22.5) + 18 * (45 - 33.5);
    const double storage = gb_hours / 730.0 * 0.023 + 3 * 0.005 / 1000;
    CHECK(usd(kept.run.other_costs[0].cost) == doctest::Approx(storage).epsilon(1e-7));
}

TEST_CASE("a job that continues elsewhere moves its checkpoint") {
    // It is stopped once, by maintenance, and the other pool is free.
    const std::string checkpoint = "size: 10 GB, write: 10 GB/s, store: s3-standard";
    const std::string first = pool("p", "region: here, maintenance: {every: 48 h, length: 24 h}");
    const Result moved = run("duration: 100 h", checkpoint, first + pool("q", "region: there"));
    REQUIRE(moved.stopped.stop_ms.size() == 1);
    REQUIRE(moved.run.other_costs.size() == 2);
    CHECK(moved.run.other_costs[1].name == "egress");
    CHECK(usd(moved.run.other_costs[1].cost) == doctest::Approx(10 * 0.09));
    const Result near = run("duration: 100 h", checkpoint, first + pool("q", "region: here"));
    CHECK(near.run.other_costs.size() == 1);
}

TEST_CASE("data are moved between regions at declared prices") {
    const std::string checkpoint = "size: 10 GB, write: 10 GB/s, store: s3-standard";
    const std::string pools = pool("p", "region: here, maintenance: {every: 48 h, length: 24 h}") +
                              pool("q", "region: there");
    const auto egress = [&](const std::string& rows) {
        return usd(run("duration: 100 h", checkpoint, pools + "egress: " + rows + "\n")
                       .run.other_costs[1]
                       .cost);
    };
    CHECK(egress("[{from: here, to: there, price: 0.02 USD/GB}, {price: 1 USD/GB}]") ==
          doctest::Approx(10 * 0.02));
    CHECK(egress("[{from: there, price: 1 USD/GB}, {price: 0.0107374 USD/GiB}]") ==
          doctest::Approx(10 * 0.01).epsilon(1e-5));
    CHECK(egress("[{from: there, to: here, price: 1 USD/GB}]") == doctest::Approx(10 * 0.09));
    CHECK(egress("[{to: there, price: 0 USD/GB}]") == 0.0);
}

} // namespace bursar::test::checkpoint_costs_test
