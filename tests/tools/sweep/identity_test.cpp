#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/units/units.hpp"

#include "tests/policies/agreement/every_combination.hpp"
#include "tests/tools/batch/failing_device.hpp"
#include "tests/tools/program.hpp"
#include "tests/tools/sweep/swept.hpp"
#include "tools/sweep/device_runs.hpp"
#include "tools/sweep/merge_sweeps.hpp"
#include "tools/sweep/run_sweep.hpp"

// Over two thousand scenarios, every combination of policies in worlds with and without events:
// each has one answer on every device and any number of threads.
namespace bursar::test::identity_test {
namespace {

const std::string scenario =
    "bursar: 1\n"
    "name: identity\n"
    "workload:\n"
    "  synthetic: {like: philly, jobs: 40, gpus: 32, load: 1.3, seed: 7}\n"
    "  classes:\n"
    "    - match: {gpus: 1}\n"
    "      priority: 1\n"
    "      value: 2 USD/gpu-h\n"
    "      deadline: 20 h\n"
    "    - startup: 1 min\n"
    "      value: 1 USD/gpu-h\n"
    "      checkpoint: {when: every, every: 20 min, save: 30 s}\n"
    "fleet:\n"
    "  - {pool: p, purchase: owned, gpu: V100-SXM2-16GB, nodes: 8, gpus_per_node: 4, price: 1 "
    "USD/gpu-h}\n";

/// Every combination of policies, as a scenario writes it.
Axis policy_axis() {
    Axis axis;
    axis.path = "policy";
    for (const PolicyChoice& choice : every_combination())
        axis.values.push_back(
            fmt::format("{{queue: {}, head: {}, capacity: {}, backfill: {}, preemption: {}{}}}",
                        choice.queue,
                        name_of(choice.head),
                        choice.capacity,
                        choice.backfill,
                        choice.preemption,
                        choice.quantum.count() == 0 ? "" : ", rounds: 10 min"));
    return axis;
}

/// The same in the form of `--vary`.
std::string text_of(const Axis& axis) {
    return fmt::format("{}={}", axis.path, fmt::join(axis.values, ","));
}

/// Two fleets without events, and two whose nodes fail, are launched and reclaimed.
Axis fleet_axis() {
    Axis axis;
    axis.path = "fleet";
    for (const int nodes : {4, 6}) {
        const std::string pool = "gpu: V100-SXM2-16GB, gpus_per_node: 4, price: 1 USD/gpu-h";
        axis.values.push_back(fmt::format("[{{pool: p, purchase: owned, nodes: {0}, {1}}}, "
                                          "{{pool: s, purchase: spot, nodes: 2, {1}}}]",
                                          nodes,
                                          pool));
        axis.values.push_back(fmt::format(
            "[{{pool: p, purchase: owned, nodes: {0}, {1}, failures: {{per_node_day: 0.4, detect: "
            "1 min, repair: 2 h}}}}, {{pool: s, purchase: on_demand, nodes: 0..4, boot: 3 min, "
            "idle_timeout: 10 min, {1}}}]",
            nodes,
            pool));
    }
    return axis;
}

SweepRequest request() {
    SweepRequest request{.source = {.file = "identity.yaml", .text = scenario}};
    request.vary = {policy_axis(), fleet_axis()};
    return request;
}

/// The whole sweep, from `count` parts that were made one by one.
std::string merged(const SweepPlan& plan, std::uint64_t count) {
    const TemporaryFolder folder;
    std::vector<std::filesystem::path> parts;
    for (std::uint64_t index = 1; index <= count; ++index) {
        parts.push_back(folder.path() / std::to_string(index));
        std::filesystem::create_directory(parts.back());
        SweepStore store{parts.back(), planned_table(plan)};
        run_sweep(plan, store, {.shard = {index, count}});
    }
    return csv_of(merge_sweeps(parts, folder.path() / "merged"));
}

} // namespace

TEST_CASE("two thousand scenarios have one answer each: threads, shards, lanes of a warp") {
    const SweepPlan plan{request()};
    const SweepTable one = swept(plan, 1);
    REQUIRE(one.rows.size() >= 2000);
    const std::string whole = csv_of(one);
    CHECK(csv_of(swept(plan, 2)) == whole);
    for (const std::uint64_t count : {1, 2, 7})
        CHECK(merged(plan, count) == whole);

    // All of a row, waits and stops of jobs included, from simulations by the lanes of a warp.
    std::size_t num_moving = 0;
    DeviceRuns lanes{{lanes_as_gpu("lanes")}, SimulatedOn::gpus, 2, [](const auto&) {}};
    SweepStore store{{}, planned_table(plan)};
    run_sweep(
        plan,
        store,
        {.threads = 2, .ahead = [&](std::span<CompiledRun* const> runs, std::size_t num_after) {
             lanes(runs, num_after);
             for (const CompiledRun* run : runs)
                 if (run->made != nullptr && run->made->run)
                     num_moving += run->compiled->plan.moves() ? 1 : 0;
         }});
    CHECK(csv_of(store.table()) == whole);
    MESSAGE(one.rows.size() << " scenarios, " << lanes.num_made()
                            << " of them by the lanes of a warp, " << num_moving
                            << " of these where the world moves");
    CHECK(lanes.num_made() > one.rows.size() / 2);
    CHECK(num_moving > lanes.num_made() / 3);
}

TEST_CASE("two thousand scenarios: killed and resumed, the program has the same answers") {
    const TemporaryFolder folder;
    const std::string file = folder.write("identity.yaml", scenario);
    std::vector<std::string> args{"sweep", file, "--format", "csv", "--threads", "2"};
    for (const Axis& axis : {policy_axis(), fleet_axis()})
        args.insert(args.end(), {"--vary", text_of(axis)});
    const auto begin = std::chrono::steady_clock::now();
    const Answer whole = bursar(args);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    CAPTURE(whole.err);
    REQUIRE(whole.code == 0);
    args.insert(args.end(), {"--out", folder.file("out")});
    std::string line = fmt::format("timeout -s KILL {:.3f} '{}'", took.count() / 2, program_file());
    for (const std::string& arg : args)
        line += " '" + arg + "'";
    line += " >'" + folder.file("log") + "' 2>&1";
    CHECK(std::system(line.c_str()) != 0); // NOLINT(concurrency-mt-unsafe)
    CHECK(bursar(args).out == whole.out);
}

} // namespace bursar::test::identity_test
