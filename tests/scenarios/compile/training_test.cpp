#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "models/convergence/critical_batch.hpp"
#include "models/training/job/cluster.hpp"
#include "models/training/job/flops.hpp"
#include "models/training/memory/memory.hpp"

#include "policies/runs/simulate.hpp"

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/jobs/training_notes.hpp"
#include "scenarios/compile/jobs/workload.hpp"
#include "scenarios/compile/training/training_length.hpp"
#include "scenarios/keys/read_scenario.hpp"

#include "tests/contains.hpp"
#include "tests/properties.hpp"
#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::training_test {
namespace {

using test::contains;

const std::string llama = "model: llama-3-8b, batch: 512 samples, precision: bf16, "
                          "parallelism: {tensor: 2, sharding: zero1, sequence_parallel: yes}";
const std::string h100 = "{pool: h100, purchase: owned, gpu: H100, nodes: 16, gpus_per_node: 8, "
                         "network: 3200 Gbit/s, price: 2 USD/gpu-h}";
const std::string a100 = "{pool: a100, purchase: owned, gpu: A100, nodes: 16, gpus_per_node: 8, "
                         "network: 1600 Gbit/s, price: 1 USD/gpu-h}";
const std::string v100 = "{pool: v100, purchase: owned, gpu: V100, nodes: 16, gpus_per_node: 8, "
                         "price: 0.5 USD/gpu-h}";

Scenario read(const std::string& jobs, const std::string& job_class, const std::string& fleet) {
    const std::string text = fmt::format("bursar: 1\nworkload:\n  jobs: [{}]\n  classes:\n  - "
                                         "{{{}}}\nfleet: [{}]\n",
                                         jobs,
                                         job_class,
                                         fleet);
    return read_scenario_text(text, "s.yaml", {}, test::known_names(), builtin_catalogue());
}

Compiled compiled(const Scenario& scenario) {
    return compile(scenario, builtin_catalogue(), load_workload(scenario, 1));
}

std::string
mistakes(const std::string& jobs, const std::string& job_class, const std::string& fleet) {
    try {
        compiled(read(jobs, job_class, fleet));
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

Outcome run(const Plan& plan) {
    const PolicyChoice choice{"fifo", HeadRule::skip, "nodes", "consolidated"};
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace).outcome;
}

} // namespace

SCENARIO("a job that trains a model by tokens") {
    GIVEN("one job of 64 GPUs on H100 nodes") {
        const Scenario scenario =
            read("{name: a, gpus: 64}", llama + ", tokens: 10 Gtokens, startup: 1 min", h100);
        const Compiled plan = compiled(scenario);
        REQUIRE(plan.trained.size() == 1);
        REQUIRE(plan.trained[0].pools.size() == 1);
        const TrainedOn& on = plan.trained[0].pools[0];
        THEN("it runs for its steps at the step's time, rounded up to a millisecond") {
            CHECK(on.steps == 2385); // 10e9 / (512 x 8192), rounded up
            CHECK(on.layout.data == 32);
            CHECK(on.layout.micro_batch == 2); // of 16 sequences, as fits
            CHECK(on.layout.micro_batches == 8);
            const double exact_ms = on.step.total().count() * 2385 * 1000;
            CHECK(plan.plan.work_ms[0] == static_cast<std::int64_t>(std::ceil(exact_ms)));
            CHECK(run(plan.plan).end == Duration{plan.plan.work_ms[0]} + minute);
        }
        THEN("the ledger has its stalls by leaf, each off by less than a slot of the gang") {
            const Outcome outcome = run(plan.plan);
            const auto slots = [&](Leaf leaf) {
                return static_cast<double>(outcome.cell(0, 0, leaf).count()) /
                       static_cast<double>(plan.plan.work_ms[0]);
            };
            const double gang = 64.0 * slots_per_gpu;
            const Seconds whole = on.step.total();
            CHECK(std::abs(slots(Leaf::stall_comm) - gang * (on.step.communication() / whole)) < 1);
            CHECK(std::abs(slots(Leaf::stall_bubble) - gang * (on.step.bubble / whole)) < 1);
            CHECK(std::abs(slots(Leaf::stall_sync) - gang * (on.step.straggler / whole)) < 1);
            CHECK(slots(Leaf::stall_comm) > 0);
            CHECK(slots(Leaf::stall_input) == 0);
            CHECK(slots(Leaf::prod_useful) + slots(Leaf::stall_comm) + slots(Leaf::stall_bubble) +
                      slots(Leaf::stall_sync) ==
                  doctest::Approx(gang));
        }
        THEN("memory and the size of a checkpoint are known") {
            CHECK(on.memory.total() < on.usable);
            // 8.03e9 parameters in bf16, with fp32 weights and two moments: 14 bytes each.
            CHECK(on.checkpoint.count() == doctest::Approx(14 * 8.03e9).epsilon(0.01));
        }
    }
}

TEST_CASE("each pool has its speed; the fastest is the reference") {
    const Compiled plan =
        compiled(read("{name: a, gpus: 64}", llama + ", steps: 1000", a100 + ", " + h100));
    REQUIRE(plan.trained.at(0).pools.size() == 2);
    const TrainedOn& slow = plan.trained[0].pools[0];
    const TrainedOn& fast = plan.trained[0].pools[1];
    CHECK(slow.total() > fast.total());
    CHECK(plan.plan.speed_of(0, 1)->speed == reference_speed);
    CHECK(static_cast<double>(plan.plan.speed_of(0, 0)->speed) / reference_speed ==
          doctest::Approx(fast.total() / slow.total()).epsilon(1e-5));
    // Both are owned: the first in the scenario is tried first.
    CHECK(static_cast<double>(run(plan.plan).end.count()) / 1000 ==
          doctest::Approx(slow.total().count()).epsilon(1e-5));
}

TEST_CASE("gangs of one class differ in layout, speed and stalls by their size") {
    const Compiled plan =
        compiled(read("{name: a, gpus: 8}, {name: a, gpus: 64}, {name: b, gpus: 8}",
                      llama + ", steps: 100",
                      h100));
    REQUIRE(plan.trained.size() == 2);
    CHECK(plan.plan.work_ms[0] == plan.plan.work_ms[2]);
    CHECK(plan.plan.job_class[0] == plan.plan.job_class[2]);
    CHECK(plan.plan.job_class[0] != plan.plan.job_class[1]);
    CHECK(plan.plan.work_ms[0] > 4 * plan.plan.work_ms[1]);
    CHECK(plan.trained[0].pools[0].layout.data == 4);
}

TEST_CASE("the first class that names a job takes it; plain jobs keep their durations") {
    const Compiled plan = compiled(read("{name: a, gpus: 8}, {name: plain, gpus: 8, submit: 1 s, "
                                        "count: 2, every: 1 h, duration: 90 s}",
                                        "match: {names: [a, c]}, " + llama + ", steps: 1}\n  - {",
                                        h100));
    CHECK(plan.plan.submit_ms == std::vector<std::int64_t>{0, 1000, 3'601'000});
    CHECK(plan.plan.work_ms[1] == 90'000);
    CHECK(plan.plan.classes[plan.plan.job_class[1]].speed_row == 0);
    CHECK(plan.labels.job(2) == "plain");
    CHECK(plan.trained.size() == 1);
}

TEST_CASE("the layout search finds one that fits and is at least as fast as a given one") {
    const Compiled given = compiled(read("{name: a, gpus: 64}", llama + ", steps: 100", h100));
    const Compiled found = compiled(read("{name: a, gpus: 64}",
                                         "model: llama-3-8b, batch: 512 samples, precision: bf16, "
                                         "parallelism: auto, steps: 100",
                                         h100));
    CHECK(found.plan.work_ms[0] <= given.plan.work_ms[0]);
    CHECK(found.trained[0].pools[0].is_layout_searched);
    const std::string assumed = fmt::format("{}", fmt::join(found.notes.assumed, "\n"));
    CHECK(contains(assumed, "llama-3-8b on 64 GPUs of pool h100: layout tensor "));
    CHECK(contains(assumed, "step times are those of software stack "));
    CHECK(contains(assumed, "[unverified]"));
}

TEST_CASE("a long sequence is divided over context ranks if that fits or is faster") {
    const Compiled plan =
        compiled(read("{name: a, gpus: 64}",
                      "model: llama-3-8b, batch: 16 samples, sequence: 1048576 tokens, "
                      "parallelism: auto, steps: 1",
                      h100));
    CHECK(plan.trained.at(0).pools.at(0).layout.context > 1);
}

TEST_CASE("searched layouts of many gang sizes are noted in one sentence") {
    std::string jobs;
    for (const int gpus : {8, 16, 32, 64, 128})
        jobs += fmt::format("{}{{name: a, gpus: {}}}", gpus == 8 ? "" : ", ", gpus);
    const Compiled plan = compiled(
        read(jobs, "model: llama-3-8b, batch: 512 samples, parallelism: auto, steps: 100", h100));
    CHECK(plan.trained.size() == 5);
    const std::string assumed = fmt::format("{}", fmt::join(plan.notes.assumed, "\n"));
    CHECK(contains(assumed,
                   "llama-3-8b on 5 gang sizes of 8 to 128 GPUs of pool h100: the fastest layouts "
                   "found that fit"));
    CHECK_FALSE(contains(assumed, "layout tensor"));
}

TEST_CASE("waiting for data is a separate stall, and a network that is no transformer trains too") {
    const Compiled plan = compiled(
        read("{name: r, gpus: 8}",
             "model: resnet-50, epochs: 2, dataset: 1281167 samples, batch: 2048 samples, input: "
             "{sample_size: 110 kB, storage: 0.05 GB/s, workers: 16}",
             a100));
    const TrainedOn& on = plan.trained.at(0).pools.at(0);
    CHECK(on.steps == 1252); // 2 x 1281167 / 2048, rounded up
    // 2048 x 110 kB on one node at 50 MB/s bound the step.
    CHECK(on.step.total().count() == doctest::Approx(2048 * 110e3 / 50e6).epsilon(0.02));
    const Outcome outcome = run(plan.plan);
    CHECK(outcome.cell(0, 0, Leaf::stall_input) > outcome.cell(0, 0, Leaf::prod_useful));
}

TEST_CASE("a pool that cannot train a class is not used, with a warning") {
    const Compiled plan =
        compiled(read("{name: a, gpus: 64}", llama + ", steps: 100", v100 + ", " + h100));
    CHECK(plan.plan.shapes[plan.plan.shape[0]].permitted_pools == 2);
    REQUIRE(plan.notes.warnings.size() >= 1);
    CHECK(contains(plan.notes.warnings[0],
                   "llama-3-8b on 64 GPUs cannot run in pool v100: precision: "));
}

TEST_CASE("a layout that does not fit is timed if the scenario says so, with a warning") {
    const Compiled plan =
        compiled(read("{name: a, gpus: 64}",
                      "model: gpt-175b, steps: 1, batch: 64 samples, parallelism: {anyway: yes}",
                      h100));
    REQUIRE(plan.notes.warnings.size() >= 1);
    CHECK(contains(plan.notes.warnings[0], "timed although it does not fit: it needs "));
    const TrainedOn& on = plan.trained.at(0).pools.at(0);
    CHECK(on.memory.total() > on.usable);
}

TEST_CASE("scales of fp8 where no product is fp8 are warned of") {
    const auto warns = [](const std::string& keys) {
        const Scenario scenario =
            read("{name: a, gpus: 8}",
                 "model: llama-3-8b, batch: 512 samples, steps: 10, fp8_scaling: current, "
                 "parallelism: {tensor: 2}" +
                     keys,
                 h100);
        const std::vector<std::string> warnings = compiled(scenario).notes.warnings;
        return std::ranges::any_of(warnings, [](const std::string& warning) {
            return contains(warning, "fp8_scaling has no effect on bf16");
        });
    };
    CHECK(warns(""));
    CHECK_FALSE(warns(", precision: fp8"));
}

TEST_CASE("states over a part of the ranks are shared by those alone") {
    const auto on_64 = [](const char* shard) {
        return compiled(read("{name: a, gpus: 64}",
                             std::string{"model: llama-3-8b, steps: 1, batch: 64 samples, "
                                         "recompute: full, parallelism: {sharding: zero3"} +
                                 shard + "}",
                             h100))
            .trained.at(0)
            .pools.at(0);
    };
    CHECK(on_64("").layout.shard_ranks() == 64);
    CHECK(on_64(", shard_ranks: 8").layout.shard_ranks() == 8);
    CHECK(on_64(", shard_ranks: 8").memory.states() > on_64("").memory.states());
}

TEST_CASE("offloaded layers and recompute of a scenario reach its layout, and are printed") {
    const auto on_8 = [](const char* more) {
        return compiled(read("{name: a, gpus: 8}",
                             std::string{"model: llama-3-8b, steps: 1, batch: 8 samples, "
                                         "sequence: 2048 tokens, recompute: none, "
                                         "parallelism: {sharding: zero3"} +
                                 more + "}",
                             h100))
            .trained.at(0)
            .pools.at(0);
    };
    const TrainedOn offloaded = on_8(", offload_layers: 4");
    CHECK(offloaded.layout.offload_layers == 4);
    CHECK(offloaded.memory.activations < on_8("").memory.activations);
    CHECK(describe(offloaded.layout).ends_with(", zero3, 4 layers of a stage offloaded"));
    CHECK(describe(on_8("").layout).ends_with(", zero3"));
}

TEST_CASE("training that no pool can do is refused with the reason, at its key") {
    struct Case {
        std::string jobs, job_class, fleet;
        std::vector<std::string> parts;
    };
    const std::string any = "{name: a, gpus: 64}";
    const std::vector<Case> cases{
        {any,
         llama + ", steps: 1",
         v100,
         {"s.yaml:5:",
          "workload.classes[0].precision: llama-3-8b cannot be trained on 64 GPUs",
          "pool v100: ",
          "bf16"}},
        {any,
         "model: gpt-175b, steps: 1, batch: 64 samples, parallelism: {}",
         h100,
         {"workload.classes[0].model: gpt-175b cannot be trained on 64 GPUs", "GB too much"}},
        {"{name: a, gpus: 12}",
         "model: llama-3-8b, steps: 1, batch: 64 samples, parallelism: {tensor: 8}",
         h100,
         {"workload.classes[0].parallelism: ",
          "a gang of 12 GPUs does not divide into tensor 8 x pipeline 1 x context 1"}},
        {any,
         "model: llama-3-8b, steps: 1, batch: 96 samples, parallelism: {tensor: 1}",
         h100,
         {"workload.classes[0].batch: ",
          "96 samples do not divide over 64 data-parallel ranks",
          "a multiple of 64"}},
        {"{name: a, gpus: 96}",
         "model: llama-3-8b, steps: 1, batch: 96 samples, parallelism: {tensor: 3}",
         h100,
         {"workload.classes[0].parallelism.tensor: "}},
        {any,
         "model: llama-3-8b, target_loss: 1.5, batch: 64 samples, parallelism: {tensor: 8}",
         h100,
         {"workload.classes[0].target_loss: "}},
        {any,
         "model: llama-3-8b, steps: 1, batch: 100 ktokens, parallelism: {tensor: 8}",
         h100,
         {"workload.classes[0].batch: ",
          "100000 tokens are not a whole number of samples of 8192",
          "13 samples are 106496 tokens"}},
        {"{name: a, gpus: 8, duration: 1 h, count: 2, every: 1 s}",
         llama + ", steps: 1",
         h100,
         {"s.yaml:3:10: workload.jobs[0].duration: cannot be combined with a model"}},
        {"{name: a, gpus: 8}",
         "startup: 1 s",
         h100,
         {"s.yaml:3:10: workload.jobs[0].duration: missing (the job's class trains no model)"}},
        {"{name: a, gpus: 8, duration: 1 h}, {name: big, gpus: 1024, duration: 1 h}",
         "startup: 1 s",
         h100,
         {"workload.jobs[1]: a job of 1024 GPUs can never run"}},
    };
    for (const Case& one : cases) {
        const std::string text = mistakes(one.jobs, one.job_class, one.fleet);
        CAPTURE(text);
        for (const std::string& part : one.parts) {
            CAPTURE(part);
            CHECK(contains(text, part));
        }
        CHECK(text.find('\n') == std::string::npos); // reported once
    }
}

TEST_CASE("a failed search reports the missing memory, or what forbids every layout") {
    const std::string one_node = "{name: a, gpus: 8}";
    const std::string searched = ", steps: 1, batch: 64 samples, parallelism: auto";
    const std::string large = mistakes(one_node, "model: gpt-175b" + searched, h100);
    CHECK(contains(large, "no layout on 8 GPUs fits: the smallest needs "));
    CHECK(contains(large, " GB too much); more GPUs, or GPUs with more memory"));
    CHECK(contains(mistakes(one_node, "model: gpt-175b, recompute: none" + searched, h100),
                   "GB too much); full recompute, more GPUs"));
    CHECK(contains(mistakes(one_node, "model: llama-3-8b, recompute: selective" + searched, h100),
                   "workload.classes[0].recompute: "));
    CHECK(contains(mistakes("{name: a, gpus: 37}", "model: llama-3-8b" + searched, h100),
                   "workload.classes[0].batch: "));
}

TEST_CASE("for a network too large for any batch, a smaller batch is not suggested") {
    const std::string text =
        mistakes("{name: a, gpus: 8}",
                 "model: {name: wide, flops_per_sample: 1000 GFLOP, parameters: "
                 "100000000000, activations_per_sample: 1 MB}, steps: 1, batch: 64 "
                 "samples",
                 h100);
    CAPTURE(text);
    CHECK(contains(text, "GB too much); GPUs with more memory: not even one sample fits"));
    CHECK_FALSE(contains(text, "micro_batch 0"));
}

TEST_CASE("memory is counted for the stack of the class") {
    const std::string given = "model: llama-3-8b, steps: 1, batch: 64 samples, precision: bf16, "
                              "parallelism: {tensor: 4, sharding: zero1}, stack: ";
    const std::string job = "{name: a, gpus: 64}";
    const Compiled megatron = compiled(read(job, given + "megatron-core-h100", h100));
    const Compiled deepspeed = compiled(read(job, given + "fsdp-flash", h100));
    const TrainedOn& on = deepspeed.trained.at(0).pools.at(0);
    TrainingJob same;
    same.model = std::get<Transformer>(*builtin_architectures().find("llama-3-8b"));
    same.sequence = same.model.sequence;
    same.precision = Precision::bf16;
    same.layout = on.layout;
    same.recipe = StateRecipe::mixed_adam; // of that stack
    const StackProfile& profile = *builtin_stacks().find("fsdp-flash");
    CHECK(on.memory.total() ==
          memory_use(same, memory_overheads_of(profile, Compilation::eager)).total());
    CHECK(on.memory.buffers > megatron.trained.at(0).pools.at(0).memory.buffers);
}

TEST_CASE("mistakes of many gang sizes are listed up to twenty, and counted") {
    std::string jobs;
    for (int gpus = 9; gpus < 40; ++gpus)
        jobs += fmt::format("{}{{name: a, gpus: {}}}", gpus == 9 ? "" : ", ", gpus);
    const std::string text =
        mistakes(jobs, "model: llama-3-8b, steps: 1, batch: 1 samples, parallelism: {}", h100);
    CAPTURE(text);
    CHECK(std::ranges::count(text, '\n') == 20);
    CHECK(contains(text, "... and 11 more mistakes"));
}

TEST_CASE("an undeclared network between nodes is the usual one of the GPU, with a note") {
    const std::string bare = "{pool: h100, purchase: owned, gpu: H100, nodes: 16, gpus_per_node: "
                             "8, price: 2 USD/gpu-h}";
    const Compiled declared = compiled(read("{name: a, gpus: 64}", llama + ", steps: 9", h100));
    const Compiled usual = compiled(read("{name: a, gpus: 64}", llama + ", steps: 9", bare));
    CHECK(usual.plan.work_ms == declared.plan.work_ms);
    CHECK(usual.notes.assumed.size() == declared.notes.assumed.size() + 1);
    CHECK(contains(fmt::format("{}", fmt::join(usual.notes.assumed, "\n")),
                   "pool h100: 3200 Gbit/s of network per node, usual for H100-SXM5-80GB"));
}

TEST_CASE("the goal decides the steps") {
    TrainingSpec spec;
    spec.model = *builtin_architectures().find("llama-3-8b");
    spec.batch = SampleCount{1000, false};
    spec.goal = TrainingTarget{GoalKind::tokens, 8'192'001'000.0};
    CHECK(training_steps(spec, 8192) == 1001);
    spec.goal = TrainingTarget{GoalKind::steps, 7};
    CHECK(training_steps(spec, 8192) == 7);
    spec.goal = TrainingTarget{GoalKind::epochs, 3};
    spec.dataset = SampleCount{500, false};
    CHECK(training_steps(spec, 8192) == 2);
    spec.dataset = SampleCount{8'192'000, true};
    CHECK(training_steps(spec, 8192) == 3);
    // Besiroglu 2024: (2085.43 / (2.0 - 1.8172 - 482.01 / 8.03e9^0.3478))^(1 / 0.3658) = 2.6e12
    // tokens, with the surface's own batch. A batch of 8.19e6 tokens takes more of them.
    spec.goal = TrainingTarget{GoalKind::target_loss, 2.0};
    const auto params = Parameters{parameters(std::get<Transformer>(*spec.model))};
    const Tokens batch{1000.0 * 8192};
    const RunToLoss run = run_to_loss(default_loss_surface(), params, 2.0, batch);
    CHECK(training_steps(spec, 8192) == static_cast<std::int64_t>(std::ceil(run.steps)));
    CHECK(run.tokens > run.surface_tokens);
    spec.batch = SampleCount{3'000'000, true};
    CHECK(static_cast<double>(training_steps(spec, 1000)) ==
          doctest::Approx(run.surface_tokens.count() / 3e6).epsilon(1e-5));
}

TEST_CASE("every leaf is at least zero and all add up to the payment, for any training") {
    CHECK(check_property([] {
        const auto jobs = drawn::in_range(1, 6);
        std::string list;
        for (int j = 0; j < jobs; ++j)
            list += fmt::format("{}{{name: a, gpus: {}, submit: {} min, count: 3, every: 7 min}}",
                                j == 0 ? "" : ", ",
                                drawn::one_of(16, 32, 64),
                                drawn::in_range(0, 60));
        const std::string job_class =
            fmt::format("model: llama-3-8b, batch: 512 samples, precision: {}, steps: {}, "
                        "parallelism: {{tensor: 2, sharding: zero3}}, startup: {} s",
                        drawn::one_of("bf16", "fp16"),
                        drawn::in_range(1, 200),
                        drawn::in_range(0, 90));
        Compiled plan = compiled(read(list, job_class, a100 + ", " + h100));
        if (drawn::boolean())
            plan.plan.until = drawn::in_range(1, 100) * minute;
        const Outcome outcome = run(plan.plan);
        for (std::size_t pool = 0; pool < 2; ++pool) {
            SlotTime booked;
            for (std::uint32_t tenant = 0; tenant <= outcome.num_tenants; ++tenant) {
                for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
                    const SlotTime cell = outcome.cell(pool, tenant, static_cast<Leaf>(leaf));
                    RC_ASSERT(cell >= SlotTime{0});
                    booked += cell;
                }
            }
            RC_ASSERT(booked == slot_time(128 * slots_per_gpu, outcome.end));
        }
    }));
}

} // namespace bursar::training_test
