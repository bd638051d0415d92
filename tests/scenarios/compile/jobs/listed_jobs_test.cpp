#include <doctest/doctest.h>

#include "scenarios/compile/jobs/listed_jobs.hpp"

namespace bursar::listed_jobs_test {

TEST_CASE("every row of a list has its entry, and the first row of each entry is marked") {
    Scenario scenario;
    JobList& list = scenario.workload.emplace<JobList>();
    for (const std::int64_t count : {1, 3, 1}) {
        list.jobs.emplace_back();
        list.jobs.back().gpus = 1;
        list.jobs.back().count = count;
        list.jobs.back().every = hour;
    }
    const Trace trace = listed_trace(list, 1);
    const ListedRows rows{scenario, trace};
    const std::vector<std::size_t> entries{0, 1, 1, 1, 2};
    const std::vector<bool> first{true, true, false, false, true};
    REQUIRE(trace.size() == entries.size());
    for (std::size_t row = 0; row < entries.size(); ++row) {
        CAPTURE(row);
        const std::optional<ListedRow> found = rows.at(row);
        REQUIRE(found);
        CHECK(found->job == &list.jobs[entries[row]]);
        CHECK(found->path() == "workload.jobs[" + std::to_string(entries[row]) + "]");
        CHECK(found->is_first == first[row]);
    }
}

TEST_CASE("rows of other workloads have no entry of a list") {
    const Scenario scenario;
    const Trace trace;
    CHECK_FALSE(ListedRows{scenario, trace}.at(0));
}

} // namespace bursar::listed_jobs_test
