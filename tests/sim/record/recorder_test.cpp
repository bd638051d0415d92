#include <map>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/queues/arrival_cursor.hpp"
#include "sim/record/recorder.hpp"

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::test::recorder_test {

TEST_CASE("a job's stopped attempts are kept in addition to its row") {
    const Plan plan = plan_of({{0, 9}, {0, 9}}, {pool_of(1, 1), pool_of(1, 1)});
    constexpr JobId first{0};
    constexpr JobId second{1};
    JobRecorder recorder{plan};
    recorder.started(first, PoolId{1}, 0, 0);
    recorder.stopped(first, StopCause::preempted, 0, 0, 0, 0); // no time at all
    recorder.started(first, PoolId{0}, 0, 0);
    recorder.stopped(first, StopCause::preempted, 30, 20, 10, 0);
    recorder.started(second, PoolId{1}, 0, 35);
    recorder.started(first, PoolId{1}, 0, 40);
    recorder.stopped(second, StopCause::preempted, 50, 0, 15, 0);
    recorder.finished(first, 60);
    struct {
        std::uint32_t next_arrival{2};
        std::int64_t now_ms{60};
        std::int64_t queue_slots{slots_per_gpu};
        std::uint64_t num_finished{1};
        [[nodiscard]] const JobShape* shapes_of(const JobShape* planned) const { return planned; }
    } state;
    ArrivalCursor queue; // of one job
    queue.arrive(first);
    struct {
        [[nodiscard]] bool fits(const JobShape&) const { return false; }
        [[nodiscard]] std::int64_t free_slots(std::uint32_t) const { return 0; }
    } capacity;
    recorder.settled(state, queue, capacity);
    const JobRows rows = recorder.take(Duration{70});
    CHECK(rows.phase[0] == JobPhase::finished);
    CHECK(rows.phase[1] == JobPhase::preempted);
    CHECK(rows.pool[0] == 1);
    CHECK(rows.start_ms[0] == 0);
    CHECK(rows.last_start(0) == 40);
    CHECK(rows.start_ms[1] == 35);
    REQUIRE(rows.stopped.size() == 3);
    const auto is = [&](std::size_t i,
                        std::uint32_t job,
                        std::uint16_t pool,
                        std::int64_t start,
                        std::int64_t stop) {
        const StoppedAttempt& attempt = rows.stopped[i];
        return attempt.job == job && attempt.pool == pool && attempt.start_ms == start &&
               attempt.stop_ms == stop;
    };
    CHECK(is(0, 0, 1, 0, 0));
    CHECK(is(1, 0, 0, 0, 30));
    CHECK(is(2, 1, 1, 35, 50));
    CHECK(rows.stopped[1].kept_ms == 20);
    CHECK(rows.stopped[1].lost_ms == 10);
    CHECK(rows.queue.ms_at_length == std::vector<std::int64_t>{60, 10});
    CHECK(rows.level.empty());
}

TEST_CASE("only the window's part of the queue is kept") {
    struct Note {
        std::int64_t now_ms;
        std::uint32_t jobs;
        std::uint64_t gpus;
    };
    static constexpr Note notes[]{{0, 3, 24},
                                  {20, 1, 8},
                                  {20, 9, 90}, // a round inside an instant lasts no time
                                  {20, 2, 16},
                                  {45, 0, 0}};
    const std::vector<std::int64_t> expected{5, 0, 25, 10};
    const auto check = [&](const auto& lengths) {
        QueueClock clock{10, 50};
        for (const Note& note : notes)
            clock.note(note.now_ms, note.jobs, note.gpus, lengths);
        clock.close(60, lengths);
        CHECK(clock.gpu_ms() == 10 * 24 + 25 * 16);
        CHECK(clock.max_gpus() == 24);
    };
    std::vector<std::int64_t> growing;
    check(LengthsInVector{growing});
    CHECK(growing == expected);
    std::vector<std::int64_t> in_place(4);
    check(LengthsInPlace{in_place.data()});
    CHECK(in_place == expected);
}

TEST_CASE("the timeline has a row where a pool changed, and one where only the queue did") {
    const Plan plan = plan_of({{0, 100, 2, 1}, {10, 50, 1, 2}, {20, 5, 2, 1}, {30, 5, 2, 1}},
                              {pool_of(1, 2), pool_of(1, 1)});
    const PolicyChoice choice{"fifo", HeadRule::block, "count", ""};
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::timeline, workspace);
    struct Row {
        std::int64_t t, pool, allocated, queue;
        bool operator==(const Row&) const = default;
    };
    std::vector<Row> rows;
    for (const TimelineRow& row : run.timeline)
        rows.push_back(
            {row.time_ms / 1000, row.pool, row.allocated_slots / slots_per_gpu, row.queue_jobs});
    const std::vector<Row> expected{{0, 0, 2, 0},
                                    {0, 1, 0, 0},
                                    {10, 1, 1, 0},
                                    {20, 0, 2, 1},
                                    {30, 0, 2, 2},
                                    {60, 1, 0, 2},
                                    {100, 0, 2, 1},
                                    {105, 0, 2, 0},
                                    {110, 0, 0, 0}};
    CHECK((rows == expected));
}

TEST_CASE("with the timeline, the nodes of attempts are kept") {
    // Node 0 takes jobs 0 and 1; job 2 needs node 1 and, once job 0 is done, part of node 0.
    const Plan plan = plan_of({{0, 50, 1}, {0, 100, 1}, {10, 30, 3}}, {pool_of(2, 2)});
    const auto run_of = [&](const PolicyChoice& choice, Record record) {
        Workspace workspace;
        return simulate(plan, order_for(plan, choice), choice, record, workspace);
    };
    const PolicyChoice on_nodes{.placement = "first-fit"};
    const GangPlaces places = run_of(on_nodes, Record::timeline).places;
    CHECK(places.job == std::vector<std::uint32_t>{0, 1, 2});
    CHECK(places.end == std::vector<std::uint32_t>{1, 2, 4});
    CHECK(std::set(places.node.begin() + 2, places.node.end()) == std::set<std::uint32_t>{0, 1});
    CHECK(places.node[0] == 0);
    CHECK(places.node[1] == 0);
    CHECK(places.gpus[0] == 1);
    CHECK(places.gpus[2] + places.gpus[3] == 3);
    CHECK(run_of(on_nodes, Record::jobs).places == GangPlaces{});
    CHECK(run_of({.capacity = "count"}, Record::timeline).places == GangPlaces{});
}

TEST_CASE("the timeline's allocation agrees with the job rows at every instant and pool") {
    std::vector<JobSpec> jobs;
    for (std::int64_t j = 0; j < 400; ++j) // with zero lengths: rounds inside an instant
        jobs.push_back({j / 3,
                        j * 7 % 40,
                        1 + static_cast<std::uint32_t>(j * 5 % 4),
                        1 + static_cast<std::uint64_t>(j % 3)});
    const Plan plan = plan_of(jobs, {pool_of(2, 4), pool_of(1, 4)});
    const PolicyChoice choice{"sjf", HeadRule::skip, "nodes", "consolidated"};
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::timeline, workspace);
    std::vector<std::map<std::int64_t, std::int64_t>> change(2);
    for (std::uint32_t job = 0; job < plan.num_jobs(); ++job) {
        change[run.jobs.pool[job]][run.jobs.start_ms[job]] += plan.gpus(job);
        change[run.jobs.pool[job]][run.jobs.finish_ms[job]] -= plan.gpus(job);
    }
    for (const TimelineRow& row : run.timeline) {
        std::int64_t held = 0;
        for (const auto& [time, gpus] : change[row.pool])
            held += time <= row.time_ms ? gpus : 0;
        CHECK(held * slots_per_gpu == row.allocated_slots);
    }
    CHECK(run.timeline.back().queue_jobs == 0);
}

} // namespace bursar::test::recorder_test
