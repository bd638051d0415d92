#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/golden_rows.hpp"
#include "tests/plan_builder.hpp"
#include "tests/shared_data.hpp"

// Other preemptive simulators on trace M (480 Philly jobs, 128 GPUs, whole seconds), job for job.
// Rules in which they differ are named options.
namespace bursar::test::golden_test {
namespace {

std::optional<Plan> read_trace_m() {
    const auto path = shared_data("golden/common/philly_mix_480.csv");
    if (!path)
        return std::nullopt;
    std::vector<JobSpec> jobs;
    for (auto& row : read_rows(*path)) {
        jobs.push_back({std::stoll(row["submit"]),
                        std::stoll(row["duration"]),
                        static_cast<std::uint32_t>(std::stoul(row["num_gpus"]))});
    }
    return plan_of(jobs, {pool_of(16, 8)});
}

/// Preempted jobs of Helios have 7, 30 or 60 s more work, by gang size; its jobs hold their GPUs
/// for a second after their work.
void restart_as_helios(Plan& plan) {
    plan.classes = {{}, {}, {}};
    plan.classes[0].recovery = 7 * second;
    plan.classes[1].recovery = 30 * second;
    plan.classes[2].recovery = 60 * second;
    for (PlanClass& job_class : plan.classes)
        job_class.teardown = second;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const std::uint32_t gpus = plan.gpus(job);
        plan.job_class[job] = gpus == 1 ? 0 : gpus <= 8 ? 1 : 2;
    }
}

struct Golden {
    const char* file;
    const char* finish; ///< column: end of the job
    double mean_jct_s;  ///< as published, to 1e-4
    std::uint64_t num_preempted;
};

void check_golden(const Plan& plan, const PolicyChoice& choice, const Golden& golden) {
    const auto path = shared_data(golden.file);
    if (!path)
        return;
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    std::size_t num_different = 0;
    std::int64_t jct_ms = 0;
    for (auto& row : read_rows(*path)) {
        const std::size_t job = std::stoul(row["job_id"]);
        REQUIRE(run.jobs.phase[job] == JobPhase::finished);
        num_different += run.jobs.finish_ms[job] == milliseconds(row[golden.finish]) ? 0 : 1;
        jct_ms += run.jobs.finish_ms[job] - plan.submit_ms[job];
    }
    CHECK(num_different == 0);
    CHECK(run.outcome.num_preempted == golden.num_preempted);
    CHECK(static_cast<double>(jct_ms) / 480e3 == doctest::Approx(golden.mean_jct_s).epsilon(1e-8));
    CHECK(run.outcome.num_preempted_without_progress <= run.outcome.num_preempted);
}

} // namespace

TEST_CASE("srtf without overhead is Tiresias' shortest, job for job") {
    if (const auto plan = read_trace_m()) {
        check_golden(*plan,
                     {"srtf", HeadRule::skip, "count", ""},
                     {"golden/tiresias/philly_mix_480__shortest__count__jobs.csv",
                      "end_time",
                      8'342.54375,
                      210});
    }
}

TEST_CASE("las by GPU time with Tiresias' wake-ups is its dlas-gpu, job for job") {
    if (const auto plan = read_trace_m()) {
        PolicyChoice choice{"las", HeadRule::skip, "count", ""};
        choice.queue_options.set("wake", {1});
        check_golden(*plan,
                     choice,
                     {"golden/tiresias/philly_mix_480__dlas-gpu__count__jobs.csv",
                      "end_time",
                      8'143.5625,
                      71});
    }
}

TEST_CASE("srtf with restart work is Helios', job for job, by count and consolidated") {
    auto plan = read_trace_m();
    if (!plan)
        return;
    restart_as_helios(*plan);
    for (const char* capacity : {"count", "nodes"}) {
        CAPTURE(capacity);
        PolicyChoice choice{"srtf", HeadRule::skip, capacity, "consolidated"};
        choice.preemption_options.set("unfinished_recovery", {1});
        const bool is_counting = capacity == std::string{"count"};
        check_golden(*plan,
                     choice,
                     {is_counting ? "golden/helios/srtf__random__jobs.csv"
                                  : "golden/helios/srtf__consolidate__jobs.csv",
                      "end_time",
                      is_counting ? 8'353.68125 : 8'614.320833333333,
                      is_counting ? 211U : 184U});
    }
}

} // namespace bursar::test::golden_test
