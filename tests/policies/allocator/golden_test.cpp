#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/golden_rows.hpp"
#include "tests/plan_builder.hpp"
#include "tests/shared_data.hpp"

// Gavel on its trace of 96 jobs, 8 V100, 16 P100 and 24 K80, rounds of 360 s, allocations computed
// at most every 1,920 s. Gavel counts whole steps in a round, which bursar does not; the solutions
// of its linear programs are not unique.
namespace bursar::test::allocator_golden_test {
namespace {

const std::vector<std::string> workers{"v100", "p100", "k80"};

/// Steps per second by worker, type of job and GPUs.
using Throughputs = std::map<std::string, double>;

std::string key_of(const std::string& worker, const std::string& type, const std::string& gpus) {
    return worker + "/" + type + "/" + gpus;
}

Throughputs read_throughputs() {
    Throughputs out;
    for (auto& row : read_rows(*shared_data("golden/gavel/throughputs_isolated.csv")))
        out[key_of(row["worker_type"], row["job_type"], row["scale_factor"])] =
            std::stod(row["steps_per_s_alone"]);
    return out;
}

/// Absent where the data are. Work is time on a V100; a class for each type and number of GPUs.
std::optional<Plan> read_gavel() {
    const auto path = shared_data("golden/gavel/max_min_fairness.trace");
    if (!path)
        return std::nullopt;
    const Throughputs throughputs = read_throughputs();
    std::vector<JobSpec> jobs;
    std::vector<double> work_s;
    std::vector<std::string> kinds; // "TYPE/GPUS"
    std::ifstream in{*path};
    for (std::string line; std::getline(in, line);) {
        std::vector<std::string> fields;
        std::istringstream text{line};
        for (std::string field; std::getline(text, field, '\t');)
            fields.push_back(field);
        const std::string kind = fields[0] + "/" + fields[6];
        const auto known = std::ranges::find(kinds, kind);
        const auto job_class = static_cast<std::uint16_t>(known - kinds.begin());
        if (known == kinds.end())
            kinds.push_back(kind);
        std::uint64_t runs_on = 0;
        for (std::size_t pool = 0; pool < workers.size(); ++pool)
            runs_on |= throughputs.at(workers[pool] + "/" + kind) > 0 ? 1U << pool : 0U;
        jobs.push_back({std::stoll(fields[9]),
                        1,
                        static_cast<std::uint32_t>(std::stoul(fields[6])),
                        runs_on,
                        0,
                        JobEnd::completed,
                        0});
        jobs.back().job_class = job_class;
        work_s.push_back(std::stod(fields[5]) / throughputs.at("v100/" + kind));
    }
    Plan plan = plan_of(jobs, {pool_of(8, 1), pool_of(16, 1), pool_of(24, 1)});
    plan.classes.assign(kinds.size(), {});
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        plan.classes[kind].speed_row = static_cast<std::uint16_t>(kind + 1);
        const double on_v100 = throughputs.at("v100/" + kinds[kind]);
        for (const std::string& worker : workers) {
            const double ratio = throughputs.at(worker + "/" + kinds[kind]) / on_v100;
            PlanSpeed speed;
            speed.speed = std::max<std::int64_t>(std::llround(ratio * double{reference_speed}), 1);
            plan.speeds.push_back(speed);
        }
    }
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        plan.work_ms[job] = std::llround(work_s[job] * 1000);
    return plan;
}

struct Means {
    double jct_s{};
    double makespan_s{};
};

Means run_gavel(const Plan& plan, const char* allocator, std::int64_t speeds = 0) {
    PolicyChoice choice;
    choice.allocator = allocator;
    if (speeds != 0)
        choice.allocator_options.set("speeds", {speeds});
    choice.allocator_options.set("recompute", {1'920'000});
    choice.capacity = "count";
    choice.quantum = Duration{360'000};
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    REQUIRE(run.outcome.num_finished == 96);
    Means means;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        means.jct_s +=
            static_cast<double>(run.jobs.finish_ms[job] - plan.submit_ms[job]) / 1000 / 96;
        means.makespan_s =
            std::max(means.makespan_s, static_cast<double>(run.jobs.finish_ms[job]) / 1000);
    }
    return means;
}

} // namespace

TEST_CASE("fifo-perf agrees with Gavel but for whole steps in a round") {
    const auto plan = read_gavel();
    if (!plan)
        return;
    const Means means = run_gavel(*plan, "fifo-perf");
    CHECK(means.jct_s == doctest::Approx(19'526.85).epsilon(3e-4));
    CHECK(means.makespan_s == doctest::Approx(72'319.86).epsilon(3e-5));
}

TEST_CASE("max-min and finish-time fairness agree with Gavel within 1 or 2 %") {
    const auto plan = read_gavel();
    if (!plan)
        return;
    const Means max_min = run_gavel(*plan, "max-min");
    CHECK(max_min.jct_s == doctest::Approx(14'622.8).epsilon(0.02));
    CHECK(max_min.makespan_s == doctest::Approx(63'945).epsilon(0.01));
    const Means ftf = run_gavel(*plan, "ftf");
    CHECK(ftf.jct_s == doctest::Approx(15'009.7).epsilon(0.01));
    CHECK(ftf.makespan_s == doctest::Approx(64'971).epsilon(0.01));
}

TEST_CASE("max-min that takes all GPUs as equal agrees with Gavel within 2 %") {
    const auto plan = read_gavel();
    if (!plan)
        return;
    const Means agnostic = run_gavel(*plan, "max-min", 1);
    CHECK(agnostic.jct_s == doctest::Approx(19'989).epsilon(0.02));
    CHECK(agnostic.makespan_s == doctest::Approx(77'141).epsilon(0.02));
}

TEST_CASE("the least makespan agrees with Gavel within 1 %") {
    const auto plan = read_gavel();
    if (!plan)
        return;
    const Means makespan = run_gavel(*plan, "makespan");
    CHECK(makespan.makespan_s == doctest::Approx(61'513).epsilon(0.01));
    CHECK(makespan.jct_s == doctest::Approx(22'972.6).epsilon(0.01));
}

} // namespace bursar::test::allocator_golden_test
