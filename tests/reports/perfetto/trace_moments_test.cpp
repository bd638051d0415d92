#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/plan/plan.hpp"

#include "reports/perfetto/trace_moments.hpp"

#include "tests/reports/support/sample_result.hpp"

// Instants at which nodes come and go and attempts stop, with their words.
namespace bursar::test::trace_moments_test {
namespace {

constexpr std::int64_t gpus(std::int64_t count) {
    return count * slots_per_gpu;
}

/// The sample's pools in five rows of a timeline: nodes fail, end, are launched and repaired.
Result with_capacity() {
    Result result = sample_result();
    TimelineColumns& rows = result.timeline;
    rows = {};
    rows.time_ms = {0, 1000, 2000, 2000, 3000};
    rows.pool = {0, 0, 0, 1, 0};
    rows.allocated_slots = {0, 0, 0, 0, 0};
    rows.queue_jobs = {0, 0, 0, 0, 0};
    rows.queue_slots = {0, 0, 0, 0, 0};
    rows.down_slots = {0, gpus(4), gpus(4), 0, 0};
    rows.off_slots = {gpus(2), gpus(2), 0, gpus(1), gpus(3)};
    result.stopped = {};
    return result;
}

std::vector<std::string> texts(const Result& result) {
    std::vector<std::string> out;
    for (const TraceMoment& moment : moments_of(result, [](std::size_t) { return true; }))
        out.push_back(std::to_string(moment.at.count()) + " " + std::to_string(moment.pool) + " " +
                      std::string{category_of(result, moment)} + ": " +
                      text_of(result, moment, "train"));
    return out;
}

} // namespace

TEST_CASE("trace moments: nodes that fail, are launched, end and are repaired") {
    CHECK(texts(with_capacity()) == std::vector<std::string>{"1000 0 capacity: 4 GPUs down",
                                                             "2000 0 capacity: 2 GPUs launched",
                                                             "2000 1 capacity: 1 GPU ended",
                                                             "3000 0 capacity: 3 GPUs ended, "
                                                             "4 GPUs back"});
}

TEST_CASE("trace moments: a timeline without nodes that come and go has none") {
    Result result = with_capacity();
    result.timeline.down_slots.clear();
    CHECK_MESSAGE(texts(result).size() == 3, "nodes are launched and end, and none is down");
    result.timeline.off_slots.clear();
    CHECK(texts(result).empty());
}

TEST_CASE("trace moments: a stop is a fault or a preemption, of jobs that are shown") {
    Result result = with_capacity();
    result.timeline.down_slots.clear();
    result.timeline.off_slots.clear();
    StoppedColumns& stopped = result.stopped;
    stopped.job = {0, 1, 2};
    stopped.pool = {0, 1, 0};
    stopped.stop_ms = {7000, 5000, 6000};
    CHECK(texts(result) == std::vector<std::string>{"5000 1 preempt: preempted train",
                                                    "6000 0 preempt: preempted train",
                                                    "7000 0 preempt: preempted train"});
    stopped.cause = {StopCause::node_failed, StopCause::preempted, StopCause::preempted};
    const std::vector<TraceMoment> shown =
        moments_of(result, [](std::size_t job) { return job == 0; });
    REQUIRE(shown.size() == 1);
    CHECK(category_of(result, shown[0]) == "fault");
    CHECK(text_of(result, shown[0], "train").ends_with(" train"));
}

} // namespace bursar::test::trace_moments_test
