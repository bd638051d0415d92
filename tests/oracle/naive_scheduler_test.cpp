#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/golden_rows.hpp"
#include "tests/oracle/naive_scheduler.hpp"
#include "tests/shared_data.hpp"

// Checks the naive scheduler against other simulators, job for job, on golden trace M, as it is the
// reference of other tests. Choices that published descriptions leave open are documented at each
// rule (naive_rules.hpp, naive_world.hpp).
namespace bursar::oracle::naive_scheduler_test {
namespace {

using test::milliseconds;
using test::read_rows;

const std::vector<Pool> sixteen_by_eight{{"m", 16, 8}};

NaiveRules plain(Order order, HeadRule head = HeadRule::block) {
    NaiveRules rules;
    rules.order = order;
    rules.head = head;
    return rules;
}

NaiveRules easy() {
    NaiveRules rules;
    rules.backfill = Backfill::easy;
    return rules;
}

NaiveRules consolidated(NaiveRules rules) {
    rules.capacity = CapacityRule::nodes;
    rules.placement = PlacementRule::consolidated;
    return rules;
}

NaiveRules tiresias_srtf() {
    NaiveRules rules = plain(Order::srtf);
    rules.stop = Stop::order;
    rules.ties = TieRule::last_order;
    return rules;
}

NaiveRules tiresias_las() {
    NaiveRules rules = plain(Order::las);
    rules.stop = Stop::order;
    rules.ties = TieRule::running_first;
    rules.queue_limits = {3'250'000, 7'200'000};
    rules.wake = WakeRule::tiresias;
    return rules;
}

NaiveRules helios_srtf() {
    NaiveRules rules = plain(Order::srtf);
    rules.stop = Stop::order;
    rules.ties = TieRule::pending_first;
    rules.restart = RestartRule::adds_up;
    return rules;
}

struct GoldenRun {
    const char* name;
    NaiveRules rules;
    bool with_helios_times; ///< one second more on the GPUs, and a restart of 7, 30 or 60 s
    double mean_jct_s;
    std::int64_t makespan_s;
    std::int64_t num_preemptions;
    const char* file;
    const char* start_column;
    const char* end_column; ///< null: the file has none
};

const std::vector<GoldenRun> golden_runs{
    {"fifo",
     plain(Order::fifo),
     false,
     25'655.6146,
     276'696,
     0,
     "golden/tiresias/philly_mix_480__fifo__count__jobs.csv",
     "start_time",
     "end_time"},
    {"fifo, skip",
     plain(Order::fifo, HeadRule::skip),
     false,
     9'280.8271,
     247'799,
     0,
     "golden/tiresias/philly_mix_480__fjf__count__jobs.csv",
     "start_time",
     "end_time"},
    {"sjf",
     plain(Order::sjf),
     false,
     9'112.4333,
     277'260,
     0,
     "golden/helios/sjf__random__jobs.csv",
     "start_time",
     "end_time"},
    {"sjf, consolidated",
     consolidated(plain(Order::sjf)),
     false,
     9'147.2708,
     280'029,
     0,
     "golden/helios/sjf__consolidate__jobs.csv",
     "start_time",
     "end_time"},
    {"easy",
     easy(),
     false,
     10'465.4604,
     273'391,
     0,
     "golden/common/own_reference_easy_starts.csv",
     "start",
     nullptr},
    {"Tiresias' srtf",
     tiresias_srtf(),
     false,
     8'342.5438,
     257'016,
     210,
     "golden/tiresias/philly_mix_480__shortest__count__jobs.csv",
     "start_time",
     "end_time"},
    {"Tiresias' las by GPU time",
     tiresias_las(),
     false,
     8'143.5625,
     247'657,
     71,
     "golden/tiresias/philly_mix_480__dlas-gpu__count__jobs.csv",
     "start_time",
     "end_time"},
    {"Helios' srtf",
     helios_srtf(),
     true,
     8'353.6812,
     257'327,
     211,
     "golden/helios/srtf__random__jobs.csv",
     "start_time",
     "end_time"},
    {"Helios' srtf, consolidated",
     consolidated(helios_srtf()),
     true,
     8'614.3208,
     265'974,
     184,
     "golden/helios/srtf__consolidate__jobs.csv",
     "start_time",
     "end_time"},
};

std::vector<Request> read_requests(const std::filesystem::path& file, bool with_helios_times) {
    std::vector<Request> requests;
    for (auto& row : read_rows(file)) {
        Request& request = requests.emplace_back();
        request.submit_ms = milliseconds(row["submit"]);
        request.work_ms = milliseconds(row["duration"]);
        request.gpus = std::stoll(row["num_gpus"]);
        if (with_helios_times) {
            request.teardown_ms = 1'000;
            request.recovery_ms = request.gpus == 1 ? 7'000 : request.gpus <= 8 ? 30'000 : 60'000;
        }
    }
    return requests;
}

History schedule(const std::vector<Request>& requests,
                 const std::vector<Pool>& pools,
                 const NaiveRules& rules,
                 const std::vector<WorldChange>& changes = {}) {
    return NaiveScheduler{requests, pools, rules, changes}.run();
}

/// A node of the first pool fails.
WorldChange offline(std::int64_t time_ms, std::size_t node) {
    return {.time_ms = time_ms,
            .kind = WorldChange::Kind::node_offline,
            .cause = Cause::node_failed,
            .node = node};
}

/// Total of every pool, over all leaves.
std::int64_t booked(const History& history) {
    std::int64_t sum = 0;
    for (const IdleSplit& idle : history.idle)
        sum += idle.no_demand + idle.ineligible + idle.fragmented + idle.gang;
    for (const HeldSplit& held : history.held) {
        sum += held.startup + held.recovery + held.checkpoint + held.teardown + held.useful +
               held.lost_to_preemption;
        sum += std::accumulate(held.stalled.begin(), held.stalled.end(), std::int64_t{0});
    }
    return sum;
}

std::int64_t sum_of(const std::vector<std::int64_t>& values) {
    return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

} // namespace

TEST_CASE("golden trace M, job for job, event by event") {
    const auto trace = test::shared_data("golden/common/philly_mix_480.csv");
    if (!trace)
        return;
    for (const GoldenRun& golden : golden_runs) {
        CAPTURE(golden.name);
        const auto file = test::shared_data(golden.file);
        if (!file)
            continue;
        const std::vector<Request> requests = read_requests(*trace, golden.with_helios_times);
        REQUIRE(requests.size() == 480);
        const History history = schedule(requests, sixteen_by_eight, golden.rules);

        std::int64_t total_jct_ms = 0;
        for (std::size_t job = 0; job < requests.size(); ++job)
            total_jct_ms += history.finish_ms[job] - requests[job].submit_ms;
        CHECK(static_cast<double>(total_jct_ms) / 480e3 ==
              doctest::Approx(golden.mean_jct_s).epsilon(1e-8));
        const std::int64_t last = *std::ranges::max_element(history.finish_ms);
        CHECK(last == golden.makespan_s * 1000);
        CHECK(sum_of(history.num_preemptions) == golden.num_preemptions);
        CHECK(booked(history) == 128 * slots_in_gpu * last);

        std::size_t num_different = 0;
        auto rows = read_rows(*file);
        REQUIRE(rows.size() == requests.size());
        for (auto& row : rows) {
            const std::size_t job = std::stoul(row["job_id"]);
            const bool same =
                history.first_start_ms[job] == milliseconds(row[golden.start_column]) &&
                (golden.end_column == nullptr ||
                 history.finish_ms[job] == milliseconds(row[golden.end_column]));
            num_different += same ? 0U : 1U;
        }
        CHECK(num_different == 0);
    }
}

TEST_CASE("trace M under Tiresias' Gittins index in queues has the mean JCT of its simulator") {
    const auto trace = test::shared_data("golden/common/philly_mix_480.csv");
    const auto sizes = test::shared_data("data/jobs-tiresias/yarn-gput1000.csv");
    if (!trace || !sizes)
        return;
    NaiveRules rules = tiresias_las();
    rules.order = Order::gittins;
    rules.ties = TieRule::submit;
    rules.delta_ms = 3'250'000;
    rules.max_lists = 4'096;
    for (const std::int64_t gpu_s : test::read_numbers(*sizes))
        rules.sizes.push_back(gpu_s * 1'000);
    const std::vector<Request> requests = read_requests(*trace, false);
    const History history = schedule(requests, sixteen_by_eight, rules);
    std::int64_t jct_ms = 0;
    for (std::size_t job = 0; job < requests.size(); ++job)
        jct_ms += history.finish_ms[job] - requests[job].submit_ms;
    CHECK(std::abs(static_cast<double>(jct_ms) / 480e3 - 8'744.1021) < 5.1e-5);
}

TEST_CASE("EASY on trace M makes reservations for 21 heads") {
    const auto trace = test::shared_data("golden/common/philly_mix_480.csv");
    if (!trace)
        return;
    const History history = schedule(read_requests(*trace, false), sixteen_by_eight, easy());
    CHECK(history.num_promised == 21);
    for (std::size_t job = 0; job < history.promised_ms.size(); ++job)
        if (history.promised_ms[job] >= 0)
            CHECK(history.first_start_ms[job] <= history.promised_ms[job]);
}

TEST_CASE("a preempted job keeps what its last save held, and every slot has a leaf") {
    // One GPU. A job of 100 s saves for 2 s after every 10 s at work; start-up 5 s, recovery 3 s.
    // It loses its GPU at 32 s, 27 s after its work began: 2 cycles of 12 s, so 20 s are safe and 3
    // s are lost. A job of 4 s runs from 32 s. The first comes back at 36 s with 3 s of recovery,
    // 80 s of work and 7 saves (none at its end).
    Request first{.submit_ms = 0, .work_ms = 100'000};
    first.startup_ms = 5'000;
    first.recovery_ms = 3'000;
    first.saving = Saving::never;
    first.save_ms = 2'000;
    first.interval_ms = 10'000;
    const Request second{.submit_ms = 32'000, .work_ms = 4'000};
    const History history = schedule({first, second}, {{"owned", 1, 1}}, tiresias_srtf());
    CHECK(history.finish_ms == std::vector<std::int64_t>{36'000 + 3'000 + 80'000 + 14'000, 36'000});
    CHECK(history.num_preemptions == std::vector<std::int64_t>{1, 0});
    const HeldSplit& held = history.held.front();
    CHECK(held.startup == 5'000'000);
    CHECK(held.recovery == 3'000'000);
    CHECK(held.checkpoint == (4'000 + 14'000) * slots_in_gpu);
    CHECK(held.lost_to_preemption == 3'000'000);
    CHECK(held.useful == 104'000'000);
    CHECK(booked(history) == history.finish_ms[0] * slots_in_gpu);
}

TEST_CASE(
    "GPUs are busy while a preempted job saves its state; a job that never saves starts anew") {
    Request first{.submit_ms = 0, .work_ms = 100'000};
    first.save_ms = 6'000;
    const Request second{.submit_ms = 10'000, .work_ms = 4'000};
    const History saved = schedule({first, second}, {{"owned", 1, 1}}, tiresias_srtf());
    CHECK(saved.first_start_ms == std::vector<std::int64_t>{0, 16'000});
    CHECK(saved.finish_ms == std::vector<std::int64_t>{110'000, 20'000});
    CHECK(saved.held.front().checkpoint == 6'000'000);

    first.saving = Saving::never;
    const History anew = schedule({first, second}, {{"owned", 1, 1}}, tiresias_srtf());
    CHECK(anew.first_start_ms == std::vector<std::int64_t>{0, 10'000});
    CHECK(anew.finish_ms == std::vector<std::int64_t>{114'000, 14'000});
    CHECK(anew.held.front().lost_to_preemption == 10'000'000);
}

TEST_CASE("a job stopped by the world queues after running jobs, also if others ended since the "
          "last round") {
    // Three GPUs, rounds of 2 s; no job saves, so none is preempted. At 3 s the first job ends and
    // two nodes go: the younger of the others is stopped, and restarts when the older has ended.
    NaiveRules rules = plain(Order::turns, HeadRule::skip);
    rules.stop = Stop::order;
    rules.ties = TieRule::running_first;
    rules.quantum_ms = 2'000;
    const auto job = [](std::int64_t work_ms) {
        return Request{.work_ms = work_ms, .saving = Saving::never};
    };
    const History history = schedule({job(3'000), job(10'000), job(10'000)},
                                     {{"owned", 3, 1}},
                                     rules,
                                     {offline(3'000, 1), offline(3'000, 2)});
    CHECK(history.finish_ms == std::vector<std::int64_t>{3'000, 10'000, 20'000});
}

TEST_CASE("a job stopped by the world queues after running jobs of its list, even if a higher list "
          "waits") {
    // Two GPUs with two jobs that have fallen to the second list. In the other pool, of one GPU, a
    // job of the first list runs and another waits.
    NaiveRules rules = plain(Order::las, HeadRule::skip);
    rules.stop = Stop::order;
    rules.ties = TieRule::running_first;
    rules.queue_limits = {5'000};
    Request other{.submit_ms = 8'000, .work_ms = 4'000};
    other.permitted_pools = 2;
    const Request job{.work_ms = 20'000};
    const History history = schedule(
        {job, job, other, other}, {{"owned", 2, 1}, {"lent", 1, 1}}, rules, {offline(10'000, 1)});
    CHECK(history.finish_ms == std::vector<std::int64_t>{20'000, 40'000, 12'000, 16'000});
}

TEST_CASE("a job that fits no empty pool throws") {
    CHECK_THROWS_AS(schedule({{.work_ms = 1, .gpus = 3}}, {{"owned", 1, 2}}, {}), std::logic_error);
}

} // namespace bursar::oracle::naive_scheduler_test
