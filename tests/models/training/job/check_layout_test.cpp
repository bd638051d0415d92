#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/training/job/check_layout.hpp"

#include "tests/models/training/memory/memory_fixture.hpp"

namespace bursar::check_layout_test {
namespace {

using test::a100_cluster;
using test::gpt;
using test::megatron;

std::string fault_of(const TrainingJob& job) {
    const auto fault = layout_fault(job, a100_cluster());
    return fault ? fault->what() : "";
}

std::string fault_of(const Layout& layout) {
    return fault_of(megatron(gpt(12, 1536, 24), layout));
}

bool warns(const TrainingJob& job, const Cluster& cluster, const char* words) {
    const std::vector<std::string> warnings = layout_warnings(job, cluster);
    return std::any_of(warnings.begin(), warnings.end(), [&](const std::string& warning) {
        return warning.find(words) != std::string::npos;
    });
}

} // namespace

TEST_CASE("an impossible layout is refused with the parameter and a remedy") {
    struct Case {
        Layout layout;
        const char* message;
    };
    const std::vector<Case> cases{
        {{.tensor = 0}, "tensor: 0 is below 1; give at least 1"},
        {{.data = -4}, "data: -4 is below 1; give at least 1"},
        {{.micro_batch = 0}, "micro_batch: 0 is below 1; give at least 1"},
        {{.tensor = 5}, "tensor: 5 does not divide heads 24; choose a divisor of 24"},
        {{.tensor = 12},
         "tensor: 12 ranks reach across nodes of 8 GPUs; give at most 8, or tensor_across_nodes"},
        {{.pipeline = 4, .recompute = {Recompute::full, 4}},
         "recompute: every 4 of the 3 layers of a stage is none; give at most every 3"},
        {{.pipeline = 13}, "pipeline: 13 stages for 12 layers; give at most 12"},
        {{.pipeline = 4, .chunks = 4},
         "chunks: 4 stages of 4 chunks for 12 layers; give at most 3"},
        {{.chunks = 2},
         "chunks: one stage has nothing to interleave 2 chunks with; give pipeline 2 or more, or "
         "chunks 1"},
        {{.pipeline = 2, .chunks = 2, .gpipe = true},
         "chunks: GPipe runs one chunk per stage; give chunks 1"},
        {{.context = 3}, "context: 3 does not divide sequence 2048; choose a divisor of 2048"},
        {{.expert = 2, .data = 2},
         "expert: 2 ranks share experts, and the model has none; give expert 1"},
        {{.sequence_parallel = true},
         "sequence_parallel: shares what tensor parallel ranks keep whole, and tensor is 1; give "
         "tensor 2 or more, or remove it"},
        {{.offload_layers = 1000},
         "offload_layers: 1000 of the 12 layers of a stage; give at most 12"},
        {{.pipeline = 5, .offload_layers = 4},
         "offload_layers: 4 of the 3 layers of a stage; give at most 3"},
        {{.offload_parameters = true},
         "offload_parameters: weights are on the host only between the uses that ZeRO-3 gathers "
         "them for; give sharding zero3"},
        {{.sharding = Sharding::zero3, .offload_parameters = true},
         "offload_parameters: the optimizer must be where the weights are; give offload_optimizer "
         "too"}};
    for (const Case& each : cases) {
        CAPTURE(each.message);
        CHECK(fault_of(each.layout) == each.message);
    }
}

TEST_CASE("possible layouts pass") {
    const std::vector<Layout> layouts{{},
                                      {.tensor = 8, .sequence_parallel = true},
                                      {.tensor = 12, .tensor_across_nodes = true},
                                      {.pipeline = 5, .micro_batches = 40},
                                      {.pipeline = 3, .chunks = 4, .micro_batches = 9},
                                      {.pipeline = 4, .chunks = 2, .micro_batches = 16},
                                      {.context = 4, .data = 2}};
    for (const Layout& layout : layouts)
        CHECK(fault_of(layout).empty());
}

TEST_CASE("key-value heads that tensor ranks do not divide are copied") {
    TrainingJob job = megatron(test::llama_8b(), {.tensor = 8});
    CHECK(fault_of(job).empty());
    CHECK(kv_head_copies(job).empty());
    job.model.kv_heads = 4;
    CHECK(fault_of(job).empty());
    CHECK(kv_head_copies(job) == "kv_heads: copied to 8 for the tensor ranks");
    job.layout.tensor = 64;
    CHECK(fault_of(job) == "tensor: 64 does not divide heads 32; choose a divisor of 32");
    CHECK(kv_head_copies(job).empty());
    job.model.kv_heads = 5;
    CHECK(fault_of(job) == "kv_heads: 5 does not divide heads 32; choose a divisor of 32");
}

TEST_CASE("experts divide over their ranks, and the ranks over the data") {
    TrainingJob job = megatron(gpt(12, 1536, 24), {.expert = 4, .data = 8});
    job.model.experts = Experts{.count = 8, .per_token = 2, .ffn = 6144, .shared_ffn = 0};
    CHECK(fault_of(job).empty());
    job.layout.expert = 3;
    CHECK(fault_of(job) == "expert: 3 does not divide experts 8; choose a divisor of 8");
    job.layout.expert = 4;
    job.layout.data = 6;
    CHECK(fault_of(job) == "expert: 4 does not divide data 6; choose a divisor of data 6");
}

TEST_CASE("a model of no size is refused") {
    TrainingJob job = megatron(gpt(12, 1536, 24), {});
    job.sequence = 0;
    CHECK(fault_of(job) == "sequence: 0 is below 1; give at least 1");
    job.sequence = 2048;
    job.model.vocab = -1;
    CHECK(fault_of(job) == "vocab: -1 is below 1; give at least 1");
}

TEST_CASE("a precision the GPU lacks is refused") {
    TrainingJob job = megatron(gpt(12, 1536, 24), {});
    job.precision = Precision::fp8;
    CHECK(fault_of(job) == "precision: A100-SXM4-80GB has no fp8; it has fp32, tf32, fp16, bf16");
}

TEST_CASE("check_layout throws the fault of layout_fault") {
    const TrainingJob bad = megatron(gpt(12, 1536, 24), {.pipeline = 13});
    CHECK_THROWS_AS(check_layout(bad), ModelError);
    CHECK_THROWS_AS(check_layout(bad, a100_cluster()), ModelError);
    CHECK_NOTHROW(check_layout(megatron(gpt(12, 1536, 24), {}), a100_cluster()));
}

TEST_CASE("possible but poor layouts are warned of with the reason") {
    const Cluster cluster = a100_cluster();
    const auto job = [](const Layout& layout) { return megatron(gpt(12, 1536, 24), layout); };
    CHECK(layout_warnings(job({.tensor = 8, .data = 2}), cluster).empty());
    CHECK(warns(job({.tensor = 6, .data = 4}), cluster, "tensor 6 does not divide nodes of 8"));
    CHECK(layout_warnings(job({.tensor = 6}), cluster).empty()); // one node holds the only group
    CHECK(warns(job({.tensor = 12, .tensor_across_nodes = true}),
                cluster,
                "every layer waits for 25.0 GB/s instead of 300.0 GB/s"));
    CHECK(warns(job({.pipeline = 4, .micro_batches = 2}), cluster, "empty 60.0 % of the time"));
    CHECK_FALSE(warns(job({.pipeline = 4, .micro_batches = 64}), cluster, "empty"));
    CHECK(warns(job({.pipeline = 5, .micro_batches = 64}), cluster, "do not divide into 5 stages"));
    CHECK(warns(job({.pipeline = 4, .chunks = 2, .micro_batches = 64}),
                cluster,
                "3 layers of a stage do not divide into 2 chunks"));
    CHECK(layout_warnings(job({.pipeline = 4, .chunks = 3, .micro_batches = 64}), cluster).empty());
    CHECK(warns(job({.pipeline = 2, .data = 4, .micro_batches = 64, .sharding = Sharding::zero3}),
                cluster,
                "gathers every weight again"));
    CHECK(warns(job({.sharding = Sharding::zero1}), cluster, "no data-parallel ranks"));
}

TEST_CASE("kernels and formats of another generation are warned of") {
    Cluster cluster = a100_cluster();
    TrainingJob job = megatron(gpt(12, 1536, 24), {});
    job.attention = Attention::flash3;
    CHECK(warns(job, cluster, "flash attention 3 is written for Hopper"));
    job.attention = Attention::flash2;
    CHECK(layout_warnings(job, cluster).empty());
    job.precision = Precision::fp32;
    CHECK(warns(job, cluster, "bf16 multiplies 16.0 times as fast"));
    cluster.gpu.name = "V100-SXM2-16GB";
    cluster.gpu.dense_peak_tflops = {15.7, std::nullopt, 125, std::nullopt, std::nullopt};
    CHECK(warns(job, cluster, "V100-SXM2-16GB has no bf16; unfused attention"));
    CHECK(warns(job, cluster, "fp16 multiplies 8.0 times as fast"));
}

} // namespace bursar::check_layout_test
