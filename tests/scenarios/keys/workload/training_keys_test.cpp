#include <string>

#include <doctest/doctest.h>

#include "scenarios/keys/read_scenario.hpp"

#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::training_keys_test {
namespace {

/// A scenario with one class; it stands on line 4 from column 15.
std::string with_class(const std::string& keys) {
    return "bursar: 1\nworkload:\n  jobs: [{name: a, gpus: 8, duration: 1 h}]\n  classes: [{" +
           keys +
           "}]\n"
           "fleet: [{pool: h, purchase: owned, gpu: H100, nodes: 2, gpus_per_node: 8,\n"
           "  network: 3200 Gbit/s, price: 2 USD/gpu-h}]\n";
}

Scenario read(const std::string& text) {
    return read_scenario_text(text, "s.yaml", {}, test::known_names(), builtin_catalogue());
}

/// Mistakes of one class, without their places.
std::string mistakes(const std::string& keys) {
    try {
        read(with_class(keys));
    } catch (const ScenarioError& error) {
        std::string text = error.what();
        CHECK(text.starts_with("s.yaml:4:"));
        return text.substr(text.find(": ") + 2);
    }
    return {};
}

} // namespace

TEST_CASE("every key of training fills its member") {
    const Scenario scenario = read(with_class(
        "model: gpt-175b, tokens: 300 Gtokens, batch: 3 Mtokens, micro_batch: 2, sequence: 1 "
        "ktokens, precision: fp8, recompute: every 3, attention: flash3, compile: cuda-graphs, "
        "fp8_scaling: per-row, "
        "stack: "
        "megatron-lm-2021, parallelism: {tensor: 8, pipeline: 4, chunks: 3, context: 2, expert: 5, "
        "sharding: zero2, sequence_parallel: yes, shard_ranks: 7, offload_optimizer: yes, "
        "offload_layers: 6, tensor_across_nodes: yes, anyway: yes}, input: {sample_size: 4 kB, "
        "storage: 16 Gbit/s, "
        "cpu_time: 5 ms, workers: 4, prefetch: 1, cache: 10 GB/s, cache_hit: 0.5, "
        "pinned_memory: no, file_open: 20 ms, samples_per_file: 1000}"));
    const TrainingSpec& training = scenario.classes.at(0).training;
    REQUIRE(training.model.has_value());
    CHECK(name(*training.model) == "gpt-175b");
    CHECK(training.goal->kind == GoalKind::tokens);
    CHECK(training.goal->amount == 300e9);
    CHECK(training.batch->count == 3'000'000);
    CHECK(training.batch->in_tokens);
    CHECK(training.micro_batch == 2);
    CHECK(training.sequence == 1000);
    CHECK(training.precision == Precision::fp8);
    CHECK(training.recompute == Recomputation{Recompute::full, 3});
    CHECK(training.attention == Attention::flash3);
    CHECK(training.compilation == Compilation::cuda_graphs);
    CHECK(training.scaling == Fp8Scaling::per_row);
    CHECK(training.stack->name == "megatron-lm-2021");
    REQUIRE(training.parallelism.has_value());
    CHECK(training.parallelism->tensor == 8);
    CHECK(training.parallelism->pipeline == 4);
    CHECK(training.parallelism->chunks == 3);
    CHECK(training.parallelism->context == 2);
    CHECK(training.parallelism->expert == 5);
    CHECK(training.parallelism->sharding == Sharding::zero2);
    CHECK(training.parallelism->sequence_parallel);
    CHECK(training.parallelism->offload_optimizer);
    CHECK(training.parallelism->offload_layers == 6);
    CHECK(training.parallelism->shard == 7);
    CHECK(training.parallelism->tensor_across_nodes);
    CHECK(training.parallelism->anyway);
    REQUIRE(training.input.has_value());
    CHECK(training.input->bytes_per_sample == ByteVolume{4000});
    CHECK(training.input->storage == ByteRate{2e9});
    CHECK(training.input->cpu_per_sample == Seconds{0.005});
    CHECK(training.input->workers == 4);
    CHECK(training.input->prefetch == 1);
    CHECK(training.input->cache_hit == 0.5);
    CHECK_FALSE(training.input->pinned_memory);
    CHECK(training.input->file_open == Seconds{0.02});
    CHECK(training.input->samples_per_file == 1000);
    CHECK(training.written.at("tensor").path == "workload.classes[0].parallelism.tensor");
    CHECK(scenario.fleet[0].network == ByteRate{400e9});
}

TEST_CASE("a network may be a mapping, and the program may choose the layout") {
    const Scenario scenario = read(with_class(
        "epochs: 2.5, dataset: 10000 samples, batch: 8 samples, parallelism: auto, model: {name: "
        "tiny, layers: 2, hidden: 64, ffn: 256, heads: 4, vocab: 100, sequence: 32}"));
    const TrainingSpec& training = scenario.classes.at(0).training;
    CHECK(std::get<Transformer>(*training.model).head_dim == 16);
    CHECK_FALSE(training.parallelism.has_value());
    CHECK(training.goal->amount == 2.5);
    CHECK_FALSE(training.dataset->in_tokens);
}

TEST_CASE("mistakes of training have a suggestion") {
    const std::string gpt = "model: gpt-175b, batch: 8 samples";
    const std::string net = "model: resnet-50, batch: 8 samples";
    const std::pair<std::string, std::string> cases[] = {
        {"tokens: 1 Gtokens",
         "workload.classes[0].tokens: has no effect without a model (model says what is trained)"},
        {gpt,
         "workload.classes[0]: a model needs one of tokens, steps, epochs, target_loss (how long "
         "it is trained)"},
        {"model: gpt-175b, steps: 1",
         "workload.classes[0]: a model needs a batch (the samples of one step, over all GPUs of "
         "the job)"},
        {gpt + ", tokens: 1 Gtokens, steps: 5",
         "workload.classes[0].steps: cannot be combined with tokens (give one of them)"},
        {gpt + ", tokens: 0 tokens",
         "workload.classes[0].tokens: \"0 tokens\" is zero (a number of tokens above zero)"},
        {gpt + ", tokens: 300e9", // the unit is checked first
         "workload.classes[0].tokens: \"300e9\" has an exponent (exponents are not supported); "
         "write the number out"},
        {gpt + ", tokens: 300",
         "workload.classes[0].tokens: \"300\" has no unit (expected a number of tokens such as "
         "\"300 Gtokens\")"},
        {gpt + ", epochs: 2",
         "workload.classes[0]: epochs need a dataset (what one of them holds)"},
        {gpt + ", steps: 2, dataset: 1 samples",
         "workload.classes[0].dataset: has no effect without epochs"},
        {"model: gpt-175, batch: 8 samples, steps: 1",
         "workload.classes[0].model: unknown name \"gpt-175\"; did you mean \"gpt-175b\"?"},
        {gpt + ", steps: 1, stack: megatron-lm-2020",
         "workload.classes[0].stack: unknown name \"megatron-lm-2020\"; did you mean "
         "\"megatron-lm-2021\"?"},
        {gpt + ", steps: 1, precision: mxfp8, fp8_scaling: current",
         "workload.classes[0].fp8_scaling: has no effect on mxfp8 (mxfp8 and nvfp4 have a scale "
         "per "
         "block)"},
        {gpt + ", steps: 1, precision: bf61",
         "workload.classes[0].precision: unknown name \"bf61\"; did you mean \"bf16\"?"},
        {gpt + ", steps: 1, parallelism: {tensors: 8}",
         "workload.classes[0].parallelism.tensors: unknown key; did you mean \"tensor\"?"},
        {gpt + ", steps: 1, parallelism: {tensor: -1}",
         "workload.classes[0].parallelism.tensor: -1 is too small (at least 1)"},
        {net + ", tokens: 1 Gtokens",
         "workload.classes[0].tokens: only for transformers (this network counts samples: give "
         "steps or epochs)"},
        {net + ", steps: 1, parallelism: {tensor: 2}",
         "workload.classes[0].parallelism: only for transformers (this network is data parallel)"},
        {"model: resnet-50, steps: 1, batch: 1 Mtokens",
         "workload.classes[0].batch: counts tokens (this network counts samples)"},
        {gpt + ", steps: 1, input: {sample_size: 1 kB, storage: 1 GB/s, cache: 1 GB/s}",
         "workload.classes[0].input: cache and cache_hit need each other (a cache has a rate and a "
         "share of hits)"},
    };
    for (const auto& [keys, message] : cases) {
        CAPTURE(keys);
        CHECK(mistakes(keys) == message);
    }
}

TEST_CASE("listed jobs: counts, and what is wrong with them") {
    const auto jobs = [](const std::string& list) {
        std::string text = with_class("startup: 1 s");
        const std::string one = "{name: a, gpus: 8, duration: 1 h}";
        return text.replace(text.find(one), one.size(), list);
    };
    const Scenario scenario =
        read(jobs("{name: a, gpus: 8, submit: 1 h, count: 3, every: 2 h, tenant: t}"));
    const ListedJob& job = std::get<JobList>(scenario.workload).jobs.at(0);
    CHECK(job.count == 3);
    CHECK(job.every == 2 * hour);
    CHECK(job.tenant == "t");
    CHECK_FALSE(job.duration.has_value());
    const auto problem = [&](const std::string& list) -> std::string {
        try {
            read(jobs(list));
        } catch (const ScenarioError& error) {
            return error.what();
        }
        return {};
    };
    CHECK(
        problem("{name: a, gpus: 8, count: 2}") ==
        "s.yaml:3:10: workload.jobs.a: a count above 1 needs `every` (the time from one submit to "
        "the next); `array` for jobs that are submitted at one time");
    CHECK(problem("{name: a, gpus: 8, every: 1 h}") ==
          "s.yaml:3:36: workload.jobs.a.every: has no effect (count is 1)");
    CHECK(problem("{name: a, gpus: 8, count: 1000000, every: 1 d}")
              .ends_with("the last job would be submitted more than 34.8 years from the zero"));
    CHECK(problem("{name: a, gpus: 8, count: 1000000000, every: 1 ms}, {name: b, gpus: 1}")
              .find("1000000001 jobs in 2 entries (at most 1000000000 jobs and 10000 entries)") !=
          std::string::npos);
}

} // namespace bursar::training_keys_test
