#include <string>

#include <doctest/doctest.h>

#include "scenarios/compile/jobs/listed_jobs.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::listed_job_keys_test {
namespace {

/// A scenario with listed jobs, the first on line 4.
Scenario read(const std::string& jobs) {
    return read_scenario_text("bursar: 1\nworkload:\n  jobs:\n" + jobs +
                                  "fleet: [{pool: p, purchase: owned, gpu: H100, nodes: 2, "
                                  "gpus_per_node: 8, price: 2 USD/gpu-h}]\n",
                              "s.yaml",
                              {},
                              test::known_names(),
                              builtin_catalogue());
}

std::string problem(const std::string& jobs) {
    try {
        read(jobs);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

Trace rows_of(const std::string& jobs) {
    return listed_trace(std::get<JobList>(read(jobs).workload), 1);
}

using Rows = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("a job waits for every job with that name, or for the one of its number") {
    const Trace trace = rows_of("    - {name: p, gpus: 1, duration: 1 h}\n"
                                "    - {name: t, gpus: 1, array: 2, duration: 1 h, after: p}\n"
                                "    - {name: e, gpus: 1, array: 2, duration: 1 h, after_each: t,\n"
                                "       think_time: 5 min}\n"
                                "    - {name: r, gpus: 1, duration: 1 h, after: [t, e]}\n");
    CHECK(trace.submit_ms == std::vector<std::int64_t>(6, 0));
    CHECK(trace.needs.begin == Rows{0, 0, 1, 2, 3, 4, 8});
    CHECK(trace.needs.needed == Rows{0, 0, 1, 2, 1, 2, 3, 4});
    CHECK(trace.think_ms == std::vector<std::int64_t>{0, 0, 0, 300'000, 300'000, 0});
    const Trace alone = rows_of("    - {name: p, gpus: 1, duration: 1 h}\n");
    CHECK(alone.needs.empty());
    CHECK(alone.think_ms.empty());
}

TEST_CASE(
    "jobs that wait for unknown ones, themselves or each other are refused with their place") {
    CHECK(problem("    - {name: prepare, gpus: 1, duration: 1 h}\n"
                  "    - {name: b, gpus: 1, duration: 1 h, after: [prepair]}\n") ==
          "s.yaml:5:48: workload.jobs.b.after: no job is named \"prepair\"; did you mean "
          "\"prepare\"?");
    CHECK(problem("    - {name: a, gpus: 1, duration: 1 h, after: a}\n") ==
          "s.yaml:4:48: workload.jobs.a.after: a job cannot wait for itself");
    CHECK(problem("    - {name: a, gpus: 1, duration: 1 h, after: c}\n"
                  "    - {name: b, gpus: 1, duration: 1 h, after: a}\n"
                  "    - {name: c, gpus: 1, duration: 1 h, after_each: b}\n") ==
          "s.yaml:4:48: workload.jobs.a.after: jobs wait for each other (\"a\" waits for \"c\" "
          "waits for \"b\" waits for \"a\")");
    CHECK(problem("    - {name: a, gpus: 1, duration: 1 h, array: 3}\n"
                  "    - {name: b, gpus: 1, duration: 1 h, array: 2, after_each: a}\n") ==
          "s.yaml:5:63: workload.jobs.b.after_each: \"a\" has 3 jobs, and this entry 2 (each job "
          "waits for the one of the same number); equal counts, or `after`");
    CHECK(problem("    - {name: a, gpus: 1, duration: 1 h, think_time: 5 s}\n") ==
          "s.yaml:4:53: workload.jobs.a.think_time: has no effect (the job waits for no other)");
    CHECK(problem("    - {name: a, gpus: 1, duration: 1 h, array: 3, every: 1 s}\n")
              .ends_with("has no effect (the jobs of an array have one submit time)"));
    CHECK(problem("    - {name: a, gpus: 1, duration: 1 h, array: 8000}\n"
                  "    - {name: b, gpus: 1, duration: 1 h, array: 8000, after: a}\n")
              .find("jobs wait for more than 50 million others") != std::string::npos);
}

} // namespace bursar::listed_job_keys_test
