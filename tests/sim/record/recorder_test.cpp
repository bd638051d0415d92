#include <map>
#include <vector>

#include <doctest/doctest.h>

#include "sim/record/recorder.hpp"

#include "policies/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::test {

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
        rows.push_back({row.time_ms / 1000, row.pool, row.allocated_gpus, row.queue_jobs});
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

TEST_CASE("the timeline's allocation is what the job rows say, at every instant and pool") {
    std::vector<JobSpec> jobs;
    for (std::int64_t j = 0; j < 400; ++j) // lengths of 0 among them: rounds inside an instant
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
        CHECK(held == row.allocated_gpus);
    }
    CHECK(run.timeline.back().queue_jobs == 0);
}

} // namespace bursar::test
