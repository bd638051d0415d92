#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/golden_rows.hpp"
#include "tests/plan_builder.hpp"
#include "tests/shared_data.hpp"

namespace bursar::test::golden_easy_test {

// Trace M (480 Philly jobs) on 128 GPUs, with each job's start by an independent reference.
TEST_CASE("EASY on trace M: every start, and 21 reservations") {
    const auto jobs_file = shared_data("golden/common/philly_mix_480.csv");
    const auto starts_file = shared_data("golden/common/own_reference_easy_starts.csv");
    if (!jobs_file || !starts_file)
        return;
    std::vector<JobSpec> jobs;
    for (auto& row : read_rows(*jobs_file)) {
        jobs.push_back({std::stoll(row["submit"]),
                        std::stoll(row["duration"]),
                        static_cast<std::uint32_t>(std::stoul(row["num_gpus"]))});
    }
    const Plan plan = plan_of(jobs, {pool_of(16, 8)});
    const PolicyChoice choice{"fifo", HeadRule::block, "count", "", "easy"};
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);

    std::size_t num_different = 0;
    std::int64_t jct_ms = 0;
    for (auto& row : read_rows(*starts_file)) {
        const std::size_t job = std::stoul(row["job_id"]);
        num_different += run.jobs.start_ms[job] == 1000 * std::stoll(row["start"]) ? 0U : 1U;
        jct_ms += run.jobs.finish_ms[job] - plan.submit_ms[job];
    }
    CHECK(num_different == 0);
    CHECK(static_cast<double>(jct_ms) / 480'000.0 == doctest::Approx(10'465.4604).epsilon(1e-8));
    CHECK(run.outcome.end == 273'391 * second);
    CHECK(run.outcome.num_reservations == 21);
}

TEST_CASE("reserved free GPUs are held, by hand") {
    // 4 GPUs, 3 of them busy until 10 s. A gang of 2 comes at 1 s and reserves 10 s, when 2 more
    // GPUs are extra. At 2 s a job of 20 s may take the free GPU, as it needs one of the extra
    // ones.
    const std::vector<JobSpec> jobs{{0, 10, 3}, {1, 5, 2}, {2, 20, 1}, {3, 20, 1}};
    const Plan plan = plan_of(jobs, {pool_of(1, 4)});
    for (const char* backfill : {"easy", "conservative"}) {
        CAPTURE(backfill);
        const PolicyChoice choice{"fifo", HeadRule::block, "count", "", backfill};
        Workspace workspace;
        const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
        CHECK(run.jobs.start_ms == std::vector<std::int64_t>{0, 10'000, 2'000, 10'000});
        const auto idle = [&](Leaf leaf) {
            return static_cast<std::int64_t>(run.outcome.cell(0, 1, leaf).count()) / 1'000'000;
        };
        // No demand before 1 s. From 1 s the free GPU is not held, as it is extra, but too small
        // for the gang; then 1 GPU at 15 s and 2 at 22 s have no demand.
        CHECK(idle(Leaf::idle_gang) == 1);
        CHECK(idle(Leaf::idle_no_demand) == 1 + 2 * 7 + 3 * 8);
    }
}

} // namespace bursar::test::golden_easy_test
