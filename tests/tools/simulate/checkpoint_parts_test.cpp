#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tools/simulate/run_scenario.hpp"

// Full saves and increments that are written in the background.
namespace bursar::test::checkpoint_parts_test {
namespace {

/// A job of 60 h on a node that is maintained from 48 h to 49 h, for which it does not save. It
/// stops for 1 h after every 10 h of work; one save of three is a full one.
Result run_with(const std::string& full, double changed) {
    return run_scenario(
        load_scenario(
            {.file = "parts.yaml",
             .text = fmt::format("bursar: 1\n"
                                 "workload:\n"
                                 "  jobs: [{{name: a, gpus: 8, duration: 60 h}}]\n"
                                 "  classes: [{{checkpoint: {{every: 10 h, save: {}, blocks: 1 h,\n"
                                 "    mode: [async, incremental], full_every: 3, changed: {}}}}}]\n"
                                 "fleet:\n"
                                 "  - {{pool: p, purchase: owned, gpu: H100, nodes: 1,\n"
                                 "     gpus_per_node: 8, price: 1 USD/gpu-h,\n"
                                 "     maintenance: {{every: 48 h, length: 1 h}}}}\n",
                                 full,
                                 changed)}),
        {});
}

SlotTime lost_hours(const Result& result) {
    SlotTime sum;
    for (const ResultCell& cell : result.cells)
        if (cell.leaf == Leaf::lost_preempt || cell.leaf == Leaf::lost_failure)
            sum += cell.held;
    return sum;
}

SlotTime gpu_hours(int num) {
    return slot_time(std::int64_t{num} * slots_per_gpu, hour);
}

} // namespace

TEST_CASE("a job loses saves that are not written yet, with the increments that depend on them") {
    // Saves end at 11, 22, 33, 44 h; the first and the last are full. At 48 h it has worked for 44
    // h.
    const Result written = run_with("4 h", 0.25); // at 48 h
    CHECK(lost_hours(written) == gpu_hours(8 * 4));
    // 20 h are left, with one save.
    CHECK(written.end == 70 * hour);
    const Result full = run_with("5 h", 0.25); // at 49 h; the increment before it at 34.25 h
    CHECK(lost_hours(full) == gpu_hours(8 * 14));
    CHECK(full.end == 81 * hour); // 30 h, with two saves
}

} // namespace bursar::test::checkpoint_parts_test
