#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/golden_rows.hpp"
#include "tests/oracle/time_stepping.hpp"
#include "tests/shared_data.hpp"

// Checks the reference simulator against other simulators (golden trace M: 480 Philly jobs on 128
// GPUs, whole seconds) and against cases worked by hand.
namespace bursar::oracle::time_stepping_test {
namespace {

using test::milliseconds;
using test::read_rows;

const std::vector<Pool> golden_cluster{{"owned", 16, 8}};

/// Jobs of trace M by their id.
std::vector<Job> read_trace_m(const std::filesystem::path& file) {
    std::vector<Job> jobs;
    for (auto& row : read_rows(file))
        jobs.push_back({.submit_ms = milliseconds(row["submit"]),
                        .work_ms = milliseconds(row["duration"]),
                        .gpus = std::stoll(row["num_gpus"])});
    return jobs;
}

double mean_jct_s(const std::vector<Job>& jobs, const Schedule& schedule) {
    std::int64_t total_ms = 0;
    for (std::size_t job = 0; job < jobs.size(); ++job)
        total_ms += schedule.finish_ms[job] - jobs[job].submit_ms;
    return static_cast<double>(total_ms) / 1000.0 / static_cast<double>(jobs.size());
}

struct GoldenCase {
    const char* name;
    Rules rules;
    double mean_jct_s;
    std::int64_t makespan_s;
    const char* jobs_file; ///< start of each job by another simulator; null: none
    /// Ids in the other simulator's order, if it breaks submit ties differently.
    std::vector<std::vector<std::size_t>> tie_order;
};

const std::vector<GoldenCase> golden_cases{
    {"fifo, count",
     {QueueRule::fifo, HeadRule::block, CapacityRule::count, {}, {}},
     25'655.6146,
     276'696,
     "golden/tiresias/philly_mix_480__fifo__count__jobs.csv",
     {}},
    {"fifo, consolidated",
     {QueueRule::fifo, HeadRule::block, CapacityRule::nodes, PlacementRule::consolidated, {}},
     29'362.8167,
     293'056,
     nullptr,
     {}},
    {"fifo, consolidated, Helios' order of ties",
     {QueueRule::fifo, HeadRule::block, CapacityRule::nodes, PlacementRule::consolidated, {}},
     29'362.8438,
     293'056,
     "golden/helios/fifo__consolidate__jobs.csv",
     {{256, 254, 255}, {360, 359}}},
    {"fifo, skip, count",
     {QueueRule::fifo, HeadRule::skip, CapacityRule::count, {}, {}},
     9'280.8271,
     247'799,
     "golden/tiresias/philly_mix_480__fjf__count__jobs.csv",
     {}},
    {"sjf, count",
     {QueueRule::sjf, HeadRule::block, CapacityRule::count, {}, {}},
     9'112.4333,
     277'260,
     "golden/helios/sjf__random__jobs.csv",
     {}},
    {"sjf, consolidated",
     {QueueRule::sjf, HeadRule::block, CapacityRule::nodes, PlacementRule::consolidated, {}},
     9'147.2708,
     280'029,
     "golden/helios/sjf__consolidate__jobs.csv",
     {}},
};

/// The input order with ties in the given order: position -> id.
std::vector<std::size_t> input_order(std::size_t num_jobs, const GoldenCase& golden) {
    std::vector<std::size_t> order(num_jobs);
    std::iota(order.begin(), order.end(), 0U);
    for (const std::vector<std::size_t>& ids : golden.tie_order) {
        const std::size_t first = *std::min_element(ids.begin(), ids.end());
        std::copy(ids.begin(), ids.end(), order.begin() + static_cast<std::ptrdiff_t>(first));
    }
    return order;
}

} // namespace

TEST_CASE("golden trace M agrees with other simulators, job for job") {
    const auto file = test::shared_data("golden/common/philly_mix_480.csv");
    if (!file)
        return;
    const std::vector<Job> by_id = read_trace_m(*file);
    REQUIRE(by_id.size() == 480);
    for (const GoldenCase& golden : golden_cases) {
        CAPTURE(golden.name);
        const std::vector<std::size_t> order = input_order(by_id.size(), golden);
        std::vector<Job> jobs;
        for (const std::size_t id : order)
            jobs.push_back(by_id[id]);
        const Schedule schedule = step_through_time(jobs, golden_cluster, golden.rules);

        // The published means have four decimals.
        CHECK(mean_jct_s(jobs, schedule) == doctest::Approx(golden.mean_jct_s).epsilon(1e-8));
        CHECK(*std::max_element(schedule.finish_ms.begin(), schedule.finish_ms.end()) ==
              golden.makespan_s * 1000);

        const IdleSplit& idle = schedule.idle.front();
        std::int64_t held = 0;
        for (const Job& job : jobs)
            held += job.gpus * job.work_ms * slots_in_gpu;
        CHECK(idle.no_demand + idle.gang + idle.fragmented + idle.ineligible + held ==
              128 * slots_in_gpu * golden.makespan_s * 1000);

        if (golden.jobs_file == nullptr)
            continue;
        const auto jobs_file = test::shared_data(golden.jobs_file);
        if (!jobs_file)
            continue;
        auto rows = read_rows(*jobs_file);
        REQUIRE(rows.size() == jobs.size());
        std::map<std::size_t, std::int64_t> expected_start_ms;
        for (auto& row : rows)
            expected_start_ms[std::stoul(row["job_id"])] = milliseconds(row["start_time"]);
        std::size_t num_different = 0;
        for (std::size_t job = 0; job < jobs.size(); ++job)
            num_different += schedule.start_ms[job] != expected_start_ms[order[job]] ? 1U : 0U;
        CHECK(num_different == 0);
    }
}

TEST_CASE("a blocked head holds every free GPU") {
    // 4 GPUs: 3 busy until 10 s, a gang of 2 waits from 2 s on and runs from 10 s to 15 s.
    const std::vector<Job> jobs{{.submit_ms = 0, .work_ms = 10'000, .gpus = 3},
                                {.submit_ms = 2'000, .work_ms = 5'000, .gpus = 2},
                                {.submit_ms = 3'000, .work_ms = 1'000, .gpus = 1}};
    const Schedule schedule = step_through_time(jobs, {{"owned", 1, 4}}, {});
    CHECK(schedule.start_ms == std::vector<std::int64_t>{0, 10'000, 10'000});
    // Free: 1 for 2 s, 1 held for 8 s, 1 for 1 s, 2 for 4 s.
    CHECK(schedule.idle.front().gang == 8 * 1'000'000);
    CHECK(schedule.idle.front().no_demand == 11 * 1'000'000);
}

TEST_CASE("jobs of zero length end when they start, and free GPUs at the same instant") {
    const std::vector<Job> jobs{{.submit_ms = 5, .work_ms = 0, .gpus = 2},
                                {.submit_ms = 5, .work_ms = 0, .gpus = 2},
                                {.submit_ms = 5, .work_ms = 7, .overhead_ms = 3, .gpus = 2}};
    const Schedule schedule = step_through_time(jobs, {{"owned", 1, 2}}, {});
    CHECK(schedule.start_ms == std::vector<std::int64_t>{5, 5, 5});
    CHECK(schedule.finish_ms == std::vector<std::int64_t>{5, 5, 15});
    CHECK(schedule.idle.front().no_demand == 10 * slots_in_gpu);
    CHECK(schedule.idle.front().gang == 0);
}

TEST_CASE("100 free GPUs and one gang of 2 that no node has room for: 2 fragmented, 98 no demand") {
    // 100 nodes of 2 GPUs: single-GPU jobs fill them, every second one ends at 1 s.
    std::vector<Job> jobs;
    for (int job = 0; job < 200; ++job)
        jobs.push_back({.submit_ms = 0, .work_ms = job % 2 == 0 ? 1'000 : 2'000, .gpus = 1});
    jobs.push_back({.submit_ms = 1'000, .work_ms = 1'000, .gpus = 2});
    const Rules rules{
        QueueRule::fifo, HeadRule::skip, CapacityRule::nodes, PlacementRule::first_fit, {}};
    const Schedule schedule = step_through_time(jobs, {{"owned", 100, 2}}, rules);
    CHECK(schedule.start_ms.back() == 2'000);
    const IdleSplit& idle = schedule.idle.front();
    CHECK(idle.fragmented == 2 * 1'000'000);
    CHECK(idle.gang == 0);
    CHECK(idle.no_demand == (98 + 198) * 1'000'000);
}

TEST_CASE("demand explains idle GPUs once: first in permitted pools, then elsewhere") {
    const std::vector<Pool> pools{{"b", 1, 8}, {"a", 1, 8}};
    // 3 GPUs that may use both pools: fragmented in pool a, the first by name. 5 GPUs that may use
    // pool b only, where 4 are free: 4 gang, and the fifth makes one of pool a ineligible.
    const std::vector<IdleSplit> split = split_idle(pools, {4, 6}, {{3, 0b11, 3}, {5, 0b01, 5}});
    CHECK(split[0].gang == 4);
    CHECK(split[0].no_demand == 0);
    CHECK(split[1].fragmented == 3);
    CHECK(split[1].ineligible == 1);
    CHECK(split[1].no_demand == 2);
}

TEST_CASE("a gang takes empty nodes and one more; consolidated fills the fullest node") {
    FreeGpus free{{"owned", 4, 4}, CapacityRule::nodes};
    free.take({{0, 1}, {2, 3}}); // free: 3 4 1 4
    const auto nodes = [&](std::int64_t gpus, PlacementRule placement) {
        const std::vector<Share> shares = free.find(gpus, placement).value();
        std::vector<std::size_t> out;
        for (const Share& share : shares)
            out.push_back(share.node);
        return out;
    };
    CHECK(nodes(1, PlacementRule::first_fit) == std::vector<std::size_t>{0});
    CHECK(nodes(1, PlacementRule::consolidated) == std::vector<std::size_t>{2});
    CHECK(nodes(5, PlacementRule::consolidated) == std::vector<std::size_t>{1, 2});
    CHECK(nodes(6, PlacementRule::first_fit) == std::vector<std::size_t>{1, 0});
    CHECK(nodes(8, PlacementRule::first_fit) == std::vector<std::size_t>{1, 3});
    CHECK_FALSE(free.find(12, PlacementRule::first_fit).has_value());
    CHECK(FreeGpus{{"owned", 4, 4}, CapacityRule::count}.find(13, {}).has_value());
}

TEST_CASE("a job too large for every pool throws") {
    CHECK_THROWS_AS(step_through_time({{.work_ms = 1, .gpus = 3}}, {{"owned", 1, 2}}, {}),
                    std::logic_error);
}

} // namespace bursar::oracle::time_stepping_test
