#include <string>

#include <doctest/doctest.h>

#include "tools/simulate/run_scenario.hpp"

namespace bursar::test::checkpoint_notice_test {
namespace {

/// A job of 30 h on a node that is reclaimed every 10 h, with that notice.
Result run_with(const std::string& checkpoint, const std::string& notice) {
    Result result = run_scenario(
        load_scenario({.file = "spot.yaml",
                       .text = "bursar: 1\n"
                               "workload:\n"
                               "  jobs: [{name: a, gpus: 8, duration: 30 h}]\n"
                               "  classes: [{checkpoint: " +
                               checkpoint +
                               "}]\n"
                               "fleet:\n"
                               "  - {pool: p, purchase: spot, gpu: H100, nodes: 1,\n"
                               "     gpus_per_node: 8, price: 1 USD/gpu-h,\n"
                               "     availability: {notice: " +
                               notice + ", generate: {up: 10 h, down: 1 h, correlation: 0}}}\n"}),
        {.seed = 2});
    REQUIRE(result.num_finished == 1);
    REQUIRE(!result.stopped.stop_ms.empty());
    return result;
}

/// Its lost time.
SlotTime lost(const std::string& checkpoint, const std::string& notice) {
    const Result result = run_with(checkpoint, notice);
    SlotTime sum;
    for (const ResultCell& cell : result.cells)
        if (cell.leaf == Leaf::lost_preempt)
            sum += cell.held;
    return sum;
}

} // namespace

TEST_CASE(
    "with a notice as long as a save no work is lost, with a shorter one all since the last save") {
    for (const std::string way : {"save: 1 min, when: on-notice",
                                  "save: 1 min, when: [on-notice, every], every: 1 h",
                                  "save: 1 min",
                                  "save: 55 s, mode: async, blocks: 5 s, when: on-notice"}) {
        CAPTURE(way);
        CHECK(lost("{" + way + "}", "60 s") == SlotTime{});
        CHECK(lost("{" + way + "}", "59 s") > SlotTime{});
    }
    const std::string hourly = "save: 1 min, every: 1 h";
    CHECK(lost("{" + hourly + ", when: [every, on-notice]}", "1 s") < lost("on-notice", "0 s"));
}

TEST_CASE("a job that does not save on a notice works until its nodes are reclaimed") {
    for (const char* way : {"{save: 1 min, every: 1 h}", "none"}) {
        CAPTURE(way);
        const Result told = run_with(way, "30 min");
        CHECK(told.stopped.cause_of(0) == StopCause::reclaimed_unsaved);
        const Result saves = run_with("on-notice", "30 min");
        CHECK(told.stopped.stop_ms[0] == saves.stopped.stop_ms[0] + 30 * 60'000);
    }
}

TEST_CASE("without a notice nothing is saved, even if saving is free") {
    CHECK(lost("on-preempt", "0 s") > SlotTime{});
    CHECK(lost("on-preempt", "1 s") == SlotTime{});
    CHECK(lost("on-notice", "1 s") == SlotTime{});
    CHECK(lost("none", "1 h") > SlotTime{});
}

TEST_CASE("a teardown is paid to the end of its node") {
    const auto held_in = [](const Result& result, Leaf leaf) {
        SlotTime sum;
        for (const ResultCell& cell : result.cells)
            if (cell.leaf == leaf)
                sum += cell.held;
        return sum;
    };
    for (const std::string notice : {"0 s", "30 min"}) {
        const Duration node_end{run_with("none", notice).stopped.stop_ms[0]};
        for (const std::string capacity : {"nodes", "count"}) {
            CAPTURE(notice);
            CAPTURE(capacity);
            const std::string text =
                "bursar: 1\n"
                "workload:\n"
                "  jobs: [{name: a, gpus: 8, duration: 1 h}]\n"
                "  classes: [{startup: 10 min, teardown: 100 h}]\n"
                "policy: {capacity: " +
                capacity +
                "}\n"
                "fleet:\n"
                "  - {pool: p, purchase: spot, gpu: H100, nodes: 1, gpus_per_node: 8,\n"
                "     price: 1 USD/gpu-h, availability: {notice: " +
                notice + ", generate: {up: 10 h, down: 1 h, correlation: 0}}}\n";
            const Result result =
                run_scenario(load_scenario({.file = "spot.yaml", .text = text}), {.seed = 2});
            CHECK(result.num_finished == 1);
            CHECK(result.end == node_end);
            CHECK(held_in(result, Leaf::prod_useful) == slot_time(8 * slots_per_gpu, hour));
            CHECK(held_in(result, Leaf::over_teardown) ==
                  slot_time(8 * slots_per_gpu, node_end - 70 * minute));
            CHECK(result.jobs.work_ms[0] == hour.count());
            CHECK(result.jobs.state[0] == JobState::completed);
        }
    }
}

} // namespace bursar::test::checkpoint_notice_test
