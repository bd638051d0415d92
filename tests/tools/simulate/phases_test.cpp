#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "sim/ledger/leaf.hpp"

#include "reports/result/attempt_phases.hpp"

#include "tools/simulate/run_scenario.hpp"

namespace bursar::test::phases_test {
namespace {

enum class Sorted { by_leaf, roughly };

/// Slot-time by leaf; `roughly`: overhead and productive time by group.
using Sums = std::map<std::string, SlotTime>;

std::string key_of(std::string_view leaf, Sorted sorted) {
    if (sorted == Sorted::roughly && leaf.starts_with("over"))
        return "over";
    return std::string{sorted == Sorted::roughly && leaf.starts_with("prod") ? "prod" : leaf};
}

Sums of_phases(const Result& result, Sorted sorted) {
    Sums sums;
    for_each_attempt(result, [&](const ResultAttempt& attempt) {
        for (const AttemptPhase& phase : phases_of(result, attempt))
            for (std::size_t i = 0; i < phase.num_parts; ++i)
                sums[key_of(phase.parts[i].leaf, sorted)] +=
                    slot_time(result.jobs.slots(attempt.job), phase.parts[i].held);
    });
    return sums;
}

Sums of_cells(const Result& result, Sorted sorted) {
    Sums sums;
    for (const ResultCell& cell : result.cells)
        if (cell.tenant)
            sums[key_of(name_of(cell.leaf), sorted)] += cell.held;
    return sums;
}

std::string text_of(const Sums& sums) {
    std::string text;
    for (const auto& [leaf, held] : sums)
        text += fmt::format("{} {}\n", leaf, static_cast<std::int64_t>(held.count()));
    return text;
}

Result run_of(const std::string& checkpoint, const std::string& failures, const char* more) {
    return run_scenario(load_scenario(
        {.file = "phases.yaml",
         .text = fmt::format(
             "bursar: 1\n"
             "workload:\n"
             "  synthetic: {{like: philly, jobs: 400, gpus: 32, load: 1.2, seed: 3}}\n"
             "  classes: [{{startup: 1 min, restart: 2 min, teardown: 30 s, checkpoint: {}}}]\n"
             "fleet:\n"
             "  - {{pool: own, purchase: owned, gpu: V100-SXM2-16GB, nodes: 8, gpus_per_node: 4, "
             "price: 1 USD/gpu-h{}}}\n"
             "policy: {{queue: srtf, capacity: count}}\n{}",
             checkpoint,
             failures,
             more)}));
}

} // namespace

TEST_CASE("the phases of attempts add up to the bill") {
    const std::string faults = ", failures: {per_node_day: 0.5, detect: 90 s, repair: 2 h}";
    for (const char* more : {"", "until: 5 d\n"}) {
        for (const char* checkpoint : {"none",
                                       "{when: on-preempt, save: 40 s}",
                                       "{when: every, every: 20 min, save: 30 s}"}) {
            CAPTURE(more);
            CAPTURE(checkpoint);
            const bool saves = std::string_view{checkpoint}.starts_with("{when: every");
            const Sorted known = saves ? Sorted::roughly : Sorted::by_leaf;
            const Result calm = run_of(checkpoint, "", more);
            CHECK(calm.stopped.size() > 20);
            CHECK(text_of(of_phases(calm, known)) == text_of(of_cells(calm, known)));
            const Result faulty = run_of(checkpoint, faults, more);
            CHECK(faulty.stopped.size() > calm.stopped.size());
            CHECK(text_of(of_phases(faulty, Sorted::roughly)) ==
                  text_of(of_cells(faulty, Sorted::roughly)));
        }
    }
}

} // namespace bursar::test::phases_test
