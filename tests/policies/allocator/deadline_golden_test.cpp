#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/plan/check_plan.hpp"

#include "policies/runs/simulate.hpp"

#include "tests/golden_rows.hpp"
#include "tests/plan_builder.hpp"
#include "tests/shared_data.hpp"

// ElasticFlow's trace of 195 jobs with deadlines on 16 nodes of 4 T4. Its simulator meets 23 of the
// deadlines under EDF, in which each job has as many GPUs as it can use, 56 under LAS by GPU time,
// in which jobs have what they ask for, and 127 under ElasticFlow.
namespace bursar::test::deadline_golden_test {
namespace {

using Row = std::map<std::string, std::string>;

/// Iterations a second by number of GPUs, of a model and batch.
std::map<std::uint32_t, double> speeds_of(const std::string& model, const std::string& batch) {
    std::map<std::uint32_t, double> out;
    const auto path = shared_data("golden/elasticflow/throughputs_T4_" + model + ".csv");
    for (Row& row : read_rows(*path)) {
        if (row["global_batch_size"] != batch)
            continue;
        for (const auto& [gpus, speed] : row)
            if (gpus != "global_batch_size" && !speed.starts_with("nan"))
                out[static_cast<std::uint32_t>(std::stoul(gpus))] = std::stod(speed);
    }
    return out;
}

/// Absent where the data are. Jobs of a model, batch and number of GPUs have a class, with a form
/// for each number that was measured.
std::optional<Plan> read_elasticflow() {
    const auto path = shared_data("data/jobs-elasticflow/elasticVpollux_e.csv");
    if (!path || !shared_data("golden/elasticflow"))
        return std::nullopt;
    std::vector<Row> rows = read_rows(*path);
    std::vector<JobSpec> jobs;
    for (Row& row : rows)
        jobs.push_back({std::stoll(row["submit_time"]) - std::stoll(rows.front()["submit_time"]),
                        std::stoll(row["duration"]),
                        static_cast<std::uint32_t>(std::stoul(row["num_gpu"]))});
    Plan plan = plan_of(jobs, {pool_of(16, 4)});
    plan.classes.clear();
    plan.shapes.clear();
    std::map<std::uint32_t, std::uint16_t> shapes;
    for (std::uint32_t gpus = 1; gpus <= 64; gpus *= 2) {
        shapes[gpus] = static_cast<std::uint16_t>(plan.shapes.size());
        plan.shapes.push_back({.gpus = gpus, .permitted_pools = 1});
    }
    std::map<std::string, std::uint16_t> classes;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        Row& row = rows[job];
        const std::string kind = row["model_name"] + "/" + row["batch_size"] + "/" + row["num_gpu"];
        const auto speeds = speeds_of(row["model_name"], row["batch_size"]);
        const double asked = speeds.at(plan.gpus(job));
        if (!classes.contains(kind)) {
            const auto begin = static_cast<std::uint32_t>(plan.forms.size());
            for (const auto& [gpus, speed] : speeds) {
                plan.speeds.emplace_back().speed =
                    std::llround(speed / asked * double{reference_speed});
                if (gpus == plan.gpus(job))
                    classes[kind] = static_cast<std::uint16_t>(plan.classes.size());
                plan.forms.push_back(
                    {shapes.at(gpus), static_cast<std::uint16_t>(plan.classes.size())});
                plan.classes.emplace_back().speed_row =
                    static_cast<std::uint16_t>(plan.speeds.size());
            }
            PlanClass& own = plan.classes[classes.at(kind)];
            own.form_begin = begin;
            own.num_forms = static_cast<std::uint32_t>(speeds.size());
        }
        plan.job_class[job] = classes.at(kind);
        plan.shape[job] = shapes.at(static_cast<std::uint32_t>(std::stoul(row["num_gpu"])));
        plan.work_ms[job] = std::llround(std::stod(row["iteration"]) / asked * 1000);
        plan.deadline_ms.push_back(
            plan.submit_ms[job] + (std::stoll(row["ddl"]) - std::stoll(row["submit_time"])) * 1000);
    }
    REQUIRE(check_plan(plan).value_or("") == "");
    return plan;
}

std::int64_t num_met(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    CHECK(run.outcome.num_finished == 195);
    std::int64_t met = 0;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        met += run.jobs.finish_ms[job] <= plan.deadline_ms[job] ? 1 : 0;
    return met;
}

} // namespace

TEST_CASE("EDF and LAS meet as many deadlines as in ElasticFlow's simulator, to 3 of 195") {
    const auto plan = read_elasticflow();
    if (!plan)
        return;
    PolicyChoice edf;
    edf.allocator = "edf";
    edf.allocator_options.set("gpus", {1}); // most
    edf.capacity = "count";
    CHECK(std::abs(num_met(*plan, edf) - 23) <= 3);
    PolicyChoice las;
    las.queue = "las";
    CHECK(std::abs(num_met(*plan, las) - 56) <= 3);
}

// The simulator lets all running jobs pause at every event, refuses together all jobs that arrive
// in a slot, and decides once a minute. A model of it without pauses and refusals together meets
// 170.
TEST_CASE("ElasticFlow's admission meets more deadlines than its simulator, which meets 127") {
    const auto plan = read_elasticflow();
    if (!plan)
        return;
    PolicyChoice choice;
    choice.allocator = "elasticflow";
    choice.capacity = "count";
    const std::int64_t met = num_met(*plan, choice);
    CHECK(met >= 160);
    CHECK(met <= 181); // as many could be met by a job that is alone
}

} // namespace bursar::test::deadline_golden_test
