#include <doctest/doctest.h>

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::checkpoint_keys_test {
namespace {

Scenario read(const std::string& job_class) {
    return read_scenario_text("bursar: 1\n"
                              "workload:\n"
                              "  jobs: [{name: a, gpus: 1, duration: 1 h}]\n"
                              "  classes: [" +
                                  job_class +
                                  "]\n"
                                  "fleet:\n"
                                  "  - {pool: a, purchase: owned, gpu: V100-SXM2-16GB, nodes: 2,\n"
                                  "     gpus_per_node: 8, price: 1 USD/gpu-h}\n",
                              "s.yaml",
                              {},
                              test::known_names(),
                              builtin_catalogue());
}

/// A class's row of the plan.
PlanClass compiled(const std::string& job_class) {
    const Scenario scenario = read(job_class);
    return compile(scenario, builtin_catalogue(), load_workload(scenario, 1)).plan.classes.at(0);
}

std::string mistake(const std::string& job_class) {
    try {
        read(job_class);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("the cost of a preemption is in the plan") {
    const PlanClass plain = compiled("{startup: 90 s}");
    CHECK(plain.checkpoint == Checkpoint::on_preempt);
    CHECK(plain.recovery == 90 * second);
    CHECK(plain.save == Duration{});
    CHECK(compiled("{startup: 90 s, restart: 0 s}").recovery == Duration{});
    CHECK(compiled("{checkpoint: none}").checkpoint == Checkpoint::none);
    CHECK(compiled("{checkpoint: on-preempt}").checkpoint == Checkpoint::on_preempt);

    const PlanClass saved = compiled("{checkpoint: {every: 15 min, save: 4 s, mode: sync}}");
    CHECK(saved.checkpoint == Checkpoint::every);
    CHECK(saved.interval == 15 * minute);
    CHECK(saved.save == 4 * second);
    const PlanClass once = compiled("{checkpoint: {save: 4 s}}");
    CHECK(once.checkpoint == Checkpoint::on_preempt);
    CHECK(once.save == 4 * second);
    // 20 GB at 3 GB/s: 6,666.67 ms
    CHECK(compiled("{checkpoint: {every: 1 h, size: 20 GB, write: 3 GB/s}}").save ==
          Duration{6667});
}

TEST_CASE("times of saves, and background writing, are in the plan") {
    const std::pair<std::string, Checkpoint> cases[] = {
        {"on-notice", Checkpoint::on_notice},
        {"{save: 4 s, when: on-notice}", Checkpoint::on_notice},
        {"{save: 4 s, when: [on-notice, on-preempt]}", Checkpoint::on_preempt},
        {"{save: 4 s, every: 1 h, when: every}", Checkpoint::every},
        {"{save: 4 s, every: 1 h, when: [every, on-notice]}", Checkpoint::every_on_notice},
        {"{save: 4 s, every: 1 h, when: [on-preempt, every]}", Checkpoint::every_on_preempt},
    };
    for (const auto& [checkpoint, kind] : cases) {
        CAPTURE(checkpoint);
        CHECK(compiled("{checkpoint: " + checkpoint + "}").checkpoint == kind);
    }
    const PlanClass async =
        compiled("{checkpoint: {every: 1 h, save: 90 s, mode: async, blocks: 6 s}}");
    CHECK(async.save == 6 * second);
    CHECK(async.write == 90 * second);
    const PlanClass parts = compiled(
        "{checkpoint: {every: 1 h, save: 9.99 s, mode: incremental, full_every: 8, changed: 0.1}}");
    CHECK(parts.save == Duration{9990});
    CHECK(parts.increment == Duration{999});
    CHECK(parts.full_every == 8);
    CHECK(parts.increment_write == Duration{});
    CHECK(compiled("{checkpoint: {every: 1 h, save: 9 s}}").full_every == 1);
    const PlanClass both = compiled("{checkpoint: {every: 1 h, save: 90.01 s, full_every: 8, "
                                    "changed: 0.1, mode: [async, incremental], blocks: 6 s}}");
    CHECK(both.save == 6 * second);
    CHECK(both.write == Duration{90'010});
    CHECK(both.increment == 6 * second);
    CHECK(both.increment_write == Duration{9001});
    CHECK(both.full_every == 8);
}

TEST_CASE("a start after a stop reads the saved bytes") {
    const std::string size = "every: 1 h, size: 20 GB, write: 1 GB/s, read: 4 GB/s";
    CHECK(compiled("{startup: 9 s, checkpoint: {" + size + "}}").recovery == 14 * second);
    CHECK(compiled("{restart: 1 s, checkpoint: {" + size + "}}").recovery == 6 * second);
    // A full one and, on average, 1.5 of 2 GB.
    CHECK(compiled("{checkpoint: {" + size + ", mode: incremental, full_every: 4, changed: 0.1}}")
              .recovery == Duration{5750});
}

TEST_CASE("storage of checkpoints has the prices of its tier") {
    const Scenario scenario = read("{checkpoint: {every: 1 h, size: 20 GB, write: 1 GB/s, store: "
                                   "s3-standard, keep: 3, older_size: 3 GB, retain: 2 d}}");
    const CheckpointKeeping keeping = scenario.classes[0].checkpoint->keeping.value();
    CHECK(keeping.tier.usd_per_gb_month == 0.023);
    CHECK(keeping.bytes == 20'000'000'000);
    CHECK(keeping.older_bytes == 3'000'000'000);
    CHECK(keeping.keep == 3);
    CHECK(keeping.retain == 2 * day);
    CHECK(keeping.loaded_bytes == 20'000'000'000);
    const Scenario parts = read("{checkpoint: {every: 1 h, size: 20 GB, write: 1 GB/s, store: "
                                "s3-standard, mode: incremental, full_every: 4, changed: 0.1}}");
    const CheckpointKeeping in_parts = parts.classes[0].checkpoint->keeping.value();
    CHECK(in_parts.bytes == 20'000'000'000);
    CHECK(in_parts.increment_bytes == 2'000'000'000);
    CHECK(in_parts.loaded_bytes == 23'000'000'000); // and 1.5 increments, on average
}

TEST_CASE("incomplete checkpoints are mistakes") {
    const std::pair<std::string, std::string> cases[] = {
        {"none", ""},
        {"sometimes",
         "checkpoint: unknown name \"sometimes\"; one of: on-preempt, on-notice, none"},
        {"{every: 15 min}", "checkpoint: has no duration of a save; add save, or size and write"},
        {"{size: 20 GB}",
         "checkpoint: size and write need each other (a save takes size over write)"},
        {"{save: 4 s, size: 20 GB, write: 1 GB/s}",
         "checkpoint.size: cannot be combined with save (give one of them)"},
        {"{every: 0 s, save: 1 s}", "checkpoint.every: \"0 s\" is zero (a duration above zero)"},
        {"{save: 1 s, mode: async}", "checkpoint.mode: async without `blocks`"},
        {"{save: 1 s, blocks: 1 s}", "checkpoint.blocks: needs `mode: async`"},
        {"{save: 1 s, every: 1 h, mode: incremental, full_every: 8}",
         "checkpoint.mode: incremental without `changed`"},
        {"{save: 1 s, mode: incremental, full_every: 8, changed: 0.1}",
         "checkpoint.mode: incremental without saves on the way (a save as the job is stopped is a "
         "full one); give every, or `when: young-daly`"},
        {"{save: 90 s, every: 60 s, mode: async, blocks: 6 s}",
         "checkpoint.every: is too short (a save is written for 90 s behind the work, and the next "
         "begins before); at least 84 s"},
        {"{save: 90 s, every: 60 s, mode: [incremental, async], blocks: 6 s, full_every: 8, "
         "changed: 0.1}",
         "checkpoint.every: is too short (a full save is written for 90 s behind the work, and the "
         "next begins before); at least 84 s"},
        {"{save: 1 s, every: 60 s, mode: [async, incremental], blocks: 1 s, full_every: 8}",
         "checkpoint.mode: incremental without `changed`"},
        {"{save: 1 s, mode: [sync, async], blocks: 1 s}",
         "checkpoint.mode: sync goes with no other (incremental alone stops the job while it "
         "saves); remove it"},
        {"{save: 1 s, when: every}", "checkpoint.when: has every, without a time; add `every`"},
        {"{save: 1 s, every: 1 h, when: on-notice}",
         "checkpoint.every: is not one of `when`; add every to it"},
        {"{save: 1 s, every: 1 h, when: young-daly}",
         "checkpoint.every: cannot be combined with young-daly (which chooses the time between "
         "saves); give one of them"},
        {"{save: 1 s, read: 1 GB/s}",
         "checkpoint.read: without `size` (it says how fast that is read)"},
        {"{save: 1 s, store: s3-standard}",
         "checkpoint.store: without `size`; give size and write in place of save"},
        {"{save: 1 s, keep: 3}",
         "checkpoint.keep: needs `store` (without a store checkpoints cost nothing)"},
        {"{size: 1 GB, write: 1 GB/s, store: s3-standard, older_size: 1 MB}",
         "checkpoint.older_size: has no effect (only the newest is kept); raise `keep`"},
        {"{size: 1 GB, write: 1 GB/s, store: s3-standard, keep: 2, older_size: 1 MB, every: 1 h, "
         "mode: incremental, full_every: 4, changed: 0.1}",
         "checkpoint.older_size: cannot be combined with `mode: incremental` (what has changed "
         "builds on what is stored)"},
        {"{save: 0 s, when: young-daly}",
         "checkpoint.when: young-daly with saves that take no time (it would save all the time); "
         "say what a save takes"},
    };
    for (const auto& [checkpoint, message] : cases) {
        CAPTURE(checkpoint);
        const std::string text = mistake("{checkpoint: " + checkpoint + "}");
        const std::size_t at = text.find("checkpoint");
        CHECK((at == std::string::npos ? "" : text.substr(at)) == message);
    }
}

} // namespace bursar::checkpoint_keys_test
