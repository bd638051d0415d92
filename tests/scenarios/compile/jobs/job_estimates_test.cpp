#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/plan/plan_view.hpp"

#include "scenarios/compile/compiled/compiled.hpp"
#include "scenarios/compile/jobs/job_estimates.hpp"

namespace bursar::job_estimates_test {
namespace {

/// The estimates of jobs that run for 100 s each, under a policy.
std::vector<std::int64_t> estimates_of(const std::string& name,
                                       const PolicyOptions& options,
                                       std::vector<std::int64_t> requested_ms,
                                       std::size_t num_jobs,
                                       std::uint64_t seed = 1) {
    Scenario scenario;
    scenario.workload = JobList{};
    scenario.policy.estimates = name;
    scenario.policy.estimates_options = options;
    scenario.policy.seed = seed;
    Trace trace;
    trace.requested_ms = std::move(requested_ms);
    Plan plan;
    JobEstimates estimates{scenario, trace, plan};
    for (std::uint32_t row = 0; row < num_jobs; ++row) {
        plan.submit_ms.push_back(0);
        plan.work_ms.push_back(100'000);
        estimates.add(row);
    }
    CHECK(assumed_under(scenario.policy, estimates.assumed()).empty() == (name == "exact"));
    return plan.estimate_ms;
}

PolicyOptions with(std::string name, std::int64_t value) {
    PolicyOptions options;
    options.set(std::move(name), {value});
    return options;
}

} // namespace

TEST_CASE("exact estimates need no column") {
    CHECK(estimates_of("exact", {}, {}, 3).empty());
}

TEST_CASE("known run times are listed as assumed for every policy that uses them") {
    Scenario scenario;
    Trace trace;
    Plan plan;
    const auto assumed = [&] {
        return assumed_under(scenario.policy, JobEstimates{scenario, trace, plan}.assumed());
    };
    CHECK(assumed().empty());
    const std::vector<std::string> said{
        "the scheduler knows every run time before the job has run (policy.estimates: exact)"};
    for (const char* queue : {"sjf", "srtf", "value-density", "ftf", "gittins"}) {
        CAPTURE(queue);
        scenario.policy.queue = queue;
        CHECK(assumed() == said);
    }
    scenario.policy.queue_options.set("distribution", {3'600'000}); // gittins by a file's jobs
    CHECK(assumed().empty());
    scenario.policy.queue_options = {};
    for (const char* queue : {"las", "smallest", "priority", "edf", "fair-share", "multifactor"}) {
        CAPTURE(queue);
        scenario.policy.queue = queue;
        CHECK(assumed().empty());
    }
    for (const char* backfill : {"easy", "conservative"}) {
        CAPTURE(backfill);
        scenario.policy.backfill = backfill;
        CHECK(assumed() == said);
    }
    scenario.policy.backfill = "none";
    scenario.policy.preemption = "value";
    CHECK(assumed() == said);
}

TEST_CASE("users' estimates are requested times; jobs without one are counted") {
    CHECK(estimates_of("user", {}, {300'000, 0, 50'000}, 3) ==
          std::vector<std::int64_t>{300'000, 100'000, 50'000});
    CHECK(estimates_of("user", {}, {2 * horizon_ms}, 1).front() == horizon_ms - 1);
}

TEST_CASE("a workload without requested times cannot have users' estimates") {
    CHECK_THROWS_WITH_AS(estimates_of("user", {}, {}, 1),
                         doctest::Contains("has no requested times"),
                         ScenarioError);
}

TEST_CASE("uniform noise is a factor from 1 to the largest, seeded") {
    const std::vector<std::int64_t> drawn = estimates_of("noisy", with("factor", 3000), {}, 4000);
    const auto [least, most] = std::minmax_element(drawn.begin(), drawn.end());
    CHECK(*least >= 100'000);
    CHECK(*least < 101'000);
    CHECK(*most > 299'000);
    CHECK(*most <= 300'000);
    double sum = 0;
    for (const std::int64_t estimate : drawn)
        sum += static_cast<double>(estimate);
    CHECK(sum / 4000.0 == doctest::Approx(200'000).epsilon(0.02)); // 4.5 standard errors
    CHECK(drawn == estimates_of("noisy", with("factor", 3000), {}, 4000));
    CHECK(drawn != estimates_of("noisy", with("factor", 3000), {}, 4000, 2));
}

TEST_CASE("lognormal noise has a median of 1 and the requested spread") {
    PolicyOptions options = with("spread", 1);
    options.set("sigma", {700});
    double sum = 0;
    double squares = 0;
    for (const std::int64_t estimate : estimates_of("noisy", options, {}, 4000)) {
        const double log = std::log(static_cast<double>(estimate) / 100'000.0);
        sum += log;
        squares += log * log;
    }
    CHECK(sum / 4000.0 == doctest::Approx(0).scale(1).epsilon(0.05)); // 4.5 standard errors
    CHECK(std::sqrt(squares / 4000.0) == doctest::Approx(0.7).epsilon(0.05));
}

} // namespace bursar::job_estimates_test
