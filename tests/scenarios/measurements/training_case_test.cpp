#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/training/job/flops.hpp"

#include "scenarios/measurements/noted_shape.hpp"
#include "scenarios/measurements/training_case.hpp"

namespace bursar::training_case_test {
namespace {

const KnownWorld& world() {
    static const Catalogue gpus = builtin_catalogue();
    static const KnownWorld known{gpus, builtin_architectures(), builtin_stacks()};
    return known;
}

TrainingCase one_case(const std::string& header, const std::string& row) {
    const MeasurementFile file = read_measurement_text(header + "\n" + row + "\n", "f.csv");
    return training_case(training_measurement(file, file.rows.front()), world());
}

const std::string header = "model,arch,params_b,layers,hidden,ffn,heads,kv_heads,vocab,seq,"
                           "global_batch,micro_batch,gpus,gpu,tp,pp,vpp,dp,sharding,precision,"
                           "recompute,attention,framework,step_s,tflops_per_gpu,mfu_pct,"
                           "tokens_per_s_per_gpu,flop_convention";

bool assumed(const TrainingCase& measured, const char* words) {
    for (const std::string& assumption : measured.assumptions)
        if (assumption.find(words) != std::string::npos)
            return true;
    return false;
}

} // namespace

TEST_CASE("a complete row is used without assumptions") {
    const TrainingCase measured = one_case(
        header,
        "GPT,gpt-dense,18.4,40,6144,24576,48,48,51200,2048,1024,4,256,A100-SXM4-80GB,8,2,,16,none,"
        "fp16-mixed,full,unfused,Megatron-LM 2021,9.4,,,,");
    const Layout& layout = measured.job.layout;
    CHECK(layout.data == 16);
    CHECK(layout.micro_batches == 16); // 1024 / 16 replicas / 4
    CHECK(layout.recompute == Recompute::full);
    CHECK(measured.job.attention == Attention::unfused);
    CHECK(measured.profile->name == "megatron-lm-2021");
    REQUIRE(measured.speed);
    CHECK(measured.speed->quantity == "step_s");
    CHECK(measured.speed->of(Seconds{3}) == 3);
    CHECK(measured.assumptions.size() == 2); // nodes of 8, and the network
}

TEST_CASE("missing values follow from rules, and are listed") {
    const TrainingCase measured = one_case(
        header, "Mystery,llama,7,,,,,,,4096,,,8,H100,,,,,fsdp,bf16,,,some new stack,,,40,,");
    CHECK(measured.job.model.layers > 0);
    CHECK(parameters(measured.job.model) == doctest::Approx(7e9).epsilon(0.15));
    CHECK(measured.job.model.head_dim == 128);
    CHECK(measured.job.layout.sharding == Sharding::zero3);
    CHECK(measured.profile->name == "torchtitan");
    CHECK(assumed(measured, "shape"));
    CHECK(assumed(measured, "micro_batch"));
    CHECK(assumed(measured, "profile"));
}

TEST_CASE("unstated recompute is none, unless that needs far more than the memory") {
    const auto of = [](const char* batch) {
        return one_case(header,
                        std::string{"X,llama,8,32,4096,14336,32,8,128256,4096,"} + batch +
                            ",8,H100,1,1,,8,fsdp,bf16,,flash,NewTrainer,,,,5000,");
    };
    const TrainingCase small = of("8,1");
    CHECK(small.job.layout.recompute == Recompute::none);
    CHECK(assumed(small, "recompute: none, not stated"));
    const TrainingCase large = of("64,8");
    CHECK(large.job.layout.recompute == Recompute::full);
    CHECK(assumed(large, "recompute: full, not stated (without it "));
}

TEST_CASE("states of a 16-bit run follow from its stack, not from its name") {
    const auto recipe = [](const char* precision, const char* framework) {
        return one_case(
                   header,
                   std::string{"X,llama,8,32,4096,14336,32,8,128256,8192,8,1,8,H100,1,1,,8,fsdp,"} +
                       precision + ",full,flash," + framework + ",,,,5000,")
            .job.recipe;
    };
    CHECK(recipe("bf16", "torchtitan eager") == StateRecipe::mixed_adam);
    CHECK(recipe("bf16", "torch 2.13 eager") == StateRecipe::mixed_adam);
    CHECK(recipe("pure-bf16", "torch 2.13 eager") == StateRecipe::pure_bf16);
    CHECK(recipe("bf16", "Megatron-Core 0.8") == StateRecipe::megatron_adam);
}

TEST_CASE("a mixture without a number of experts is refused, not guessed") {
    const std::string rest =
        ",moe-swiglu,47,32,4096,14336,32,8,32000,4096,64,1,8,H100,1,1,,8,fsdp,bf16,"
        "full,flash,FSDP,1,,,,";
    CHECK_THROWS_WITH_AS(one_case(header, "Mystery-47B" + rest),
                         doctest::Contains("experts: neither the columns"),
                         ModelError);
    const TrainingCase named = one_case(header, "Other-8x7B" + rest);
    CHECK(named.job.model.experts->count == 8);
    CHECK(named.job.model.experts->per_token == 2);
    CHECK(assumed(named, "experts: 2 per token"));
    const TrainingCase stated = one_case(header + ",experts,top_k", "Mystery-47B" + rest + ",16,4");
    CHECK(stated.job.model.experts->count == 16);
    CHECK_FALSE(assumed(stated, "experts"));
    CHECK_THROWS_AS(one_case(header + ",experts,top_k", "Mystery-47B" + rest + ",2,5"), ModelError);
}

TEST_CASE("shards over a part of the ranks are laid out as stated") {
    const auto laid = [](const char* gpus) {
        return one_case(header,
                        std::string{"X,llama,8,32,4096,14336,32,8,128256,8192,512,1,"} + gpus +
                            ",H100,1,1,,,fsdp128xdp4,bf16,full,flash,MaxText (JAX),1,,,,")
            .job.layout;
    };
    CHECK(laid("512").shard == 128);
    CHECK(laid("512").data == 512);
    CHECK(laid("64").shard == 0);
}

TEST_CASE("states over a part of the ranks are read from the notes") {
    const auto shard = [](const char* notes) {
        return one_case(header + ",notes",
                        std::string{"X,llama,7,32,4096,11008,32,32,32000,4096,512,1,128,A100,1,1,,,"
                                    "zero1,bf16,none,flash,InternEvo,1,,,,,"} +
                            notes)
            .job.layout.shard;
    };
    CHECK(shard("activation checkpointing on; zero1=8") == 8);
    CHECK(shard("optimizer states over 4 GPUs of a node") == 4);
    CHECK(shard("optimizer states over all data ranks (zero1=-1)") == 0);
    CHECK(shard("zero1=48; no divisor of 128") == 0);
}

TEST_CASE("the nearest profile follows from the run's facts") {
    const auto profile = [](const char* rest) {
        return one_case(header,
                        std::string{"X,gpt,1.3,24,2048,8192,16,16,51200,2048,64,1,8,"} + rest)
            .profile->name;
    };
    CHECK(profile("H100,2,1,,4,,fp8,none,flash,NewMegatron,1,,,,") == "megatron-core-h100");
    CHECK(profile("H100,1,1,,8,fsdp,bf16,none,flash,my trainer,1,,,,") == "torchtitan");
    CHECK(profile("H100,1,1,,8,fsdp,bf16,none,flash,NeMo 25.11,1,,,,") == "megatron-core-h100");
    CHECK(profile("H100,2,1,,4,fsdp,bf16,none,flash,my asyncTP,1,,,,") == "torchtitan-async-tp");
    CHECK(profile("H100,1,1,,8,fsdp,bf16,none,flash,Composer 0.2,1,,,,") == "composer");
    CHECK(profile("H100,1,1,,8,fsdp,bf16,none,flash,MaxText 2,1,,,,") == "maxtext");
    CHECK(profile("A100,1,1,,8,zero3,bf16,none,flash,DeepSpeed 0.9,1,,,,") == "deepspeed-zero3");
    CHECK(profile("A100,1,1,,8,none,bf16,none,flash,my trainer,1,,,,") == "fsdp-flash");
    CHECK(profile("V100,2,1,,4,,fp16,full,unfused,my trainer,1,,,,") == "megatron-lm-2021");
    CHECK(profile("A100,2,1,,4,,fp16,full,unfused,DeepSpeed 0.6,1,,,,") ==
          "megatron-deepspeed-2022");
}

TEST_CASE("figures are compared in the convention of their source") {
    const auto figure = [](const char* convention) {
        const TrainingCase measured =
            one_case(header,
                     std::string{"X,gpt,1.3,24,2048,8192,16,16,51200,8192,64,1,8,A100,1,1,,8,,bf16,"
                                 "full,flash,flash-attn training script,,200,,,"} +
                         convention);
        return *measured.speed->per_step;
    };
    const double full = figure("model FLOPs");
    CHECK(figure("\"model FLOPs, attention counted causally\"") < full);
    CHECK(figure("non-causal") == full);
    CHECK(figure("6ND") < figure("causal"));
    // Full recompute executes the layers' forward pass again: a third more, except for the logits.
    CHECK(figure("\"hardware, recompute counted\"") / full == doctest::Approx(1.32).epsilon(0.01));
}

TEST_CASE("published FLOP give the step time that the same source published") {
    // Narayanan 2021 Table 1: 1.7B on 32 GPUs at 137 TFLOP/s takes 3.528 s a step.
    const TrainingCase measured = one_case(
        header,
        "GPT,gpt-dense,1.7,24,2304,9216,24,24,51200,2048,512,,32,A100-SXM4-80GB,1,1,,32,,fp16,full,"
        "unfused,Megatron-LM 2021,,137,,,\"hardware: 96*B*s*L*h^2*(1+s/6h+V/16Lh)\"");
    CHECK(measured.speed->step().count() == doctest::Approx(3.528).epsilon(0.01));
}

TEST_CASE("layers follow from the published size and width, whole ones on every stage") {
    const auto layers = [](const char* size, const char* stages) {
        return one_case(header,
                        std::string{"X,gpt,"} + size + ",,14400,57600,80,,250000,2048,384,1,384," +
                            "A100,8," + stages + ",,,none,bf16,full,unfused,x,1,,,,")
            .job.model;
    };
    CHECK(layers("200", "8").layers == 80); // 12 h^2 each, plus the embedding
    CHECK(layers("194", "6").layers == 78); // 76.5 of them, 13 a stage
    CHECK(layers("183", "12").layers == 72);
    CHECK(layers("183", "12").hidden == 14400);
}

TEST_CASE("JAX stacks without stated recompute compute their layers again") {
    const std::string row = "X,llama,7,32,4096,11008,32,32,32000,4096,8,1,8,H100,1,1,,8,fsdp,bf16,";
    CHECK(one_case(header, row + ",flash,MaxText (JAX),1,,,,").job.layout.recompute ==
          Recompute::full);
    CHECK(one_case(header, row + "none,flash,MaxText (JAX),1,,,,").job.layout.recompute ==
          Recompute::none);
    CHECK(one_case(header, row + ",flash,my trainer,1,,,,").job.layout.recompute ==
          Recompute::none);
}

TEST_CASE("an NVLink domain has as many nodes as it joins and the run fills") {
    const auto domain = [](const char* gpus) {
        const TrainingCase measured =
            one_case(header + ",gpus_per_node",
                     std::string{"X,llama,7,32,4096,11008,32,32,32000,4096,4096,1,"} + gpus +
                         ",GB200,1,1,,,none,bf16,none,flash,Megatron-Bridge 25.11,1,,,,,4");
        CHECK(measured.cluster.gpus_per_host == 4);
        CHECK(measured.cluster.tree.levels.back().bandwidth.count() == doctest::Approx(50e9));
        return measured.cluster.gpus_per_node;
    };
    CHECK(domain("8") == 8);
    CHECK(domain("72") == 72);
    CHECK(domain("256") == 64); // of 72, four domains of 64 hold 256
}

TEST_CASE("a mixture whose table has an expert's size keeps its dense layers") {
    const TrainingCase measured =
        one_case(header,
                 "DeepSeekV3,moe-swiglu,671,61,7168,2048,128,128,129280,4096,64,1,64,GB200,1,1,,,,"
                 "bf16,none,flash,Megatron-Bridge 25.11,1,,,,");
    REQUIRE(measured.job.model.experts);
    CHECK(measured.job.model.experts->count == 256);
    CHECK(measured.job.model.experts->ffn == 2048);
    CHECK(measured.job.model.ffn == 18432);
    CHECK(parameters(measured.job.model) == doctest::Approx(671e9).epsilon(0.001));
}

TEST_CASE("a cut network has the shape of its notes") {
    const std::string rest = ",moe-swiglu,,4,7168,2048,128,128,129280,4096,16,1,8,B200,1,2,,,,"
                             "bf16,none,flash,Megatron-Core,1,,,,";
    const std::string notes =
        "\"4 layers were run of 61; 256 routed experts of 2048, 8 a token, 1 "
        "shared, first 1 layers dense with ffn 18432, latent attention (q rank "
        "1536, kv rank 512, 128+64 per head)\"";
    // By hand: attention 187,104,256 a layer, three matrices of 7168 x 18432, 257 experts of 2048
    // and a router of 256 in three layers, twice 129280 x 7168: 36.96e9.
    for (const char* name : {"deepseekv3 cut to 4 layers", "a model of no catalogue"}) {
        CAPTURE(name);
        const TrainingCase cut = one_case(header + ",notes", name + rest + "," + notes);
        REQUIRE(cut.job.model.experts);
        REQUIRE(cut.job.model.latent);
        CHECK(cut.job.model.layers == 4);
        CHECK(cut.job.model.experts->dense_layers == 1);
        CHECK(cut.job.model.ffn == 18432);
        CHECK(cut.job.model.head_dim == 192);
        CHECK(parameters(cut.job.model) == doctest::Approx(36.96e9).epsilon(0.001));
    }
    const TrainingCase catalogue = one_case(header,
                                            "deepseekv3 cut to 2 layers,moe-swiglu,,2,7168,"
                                            "2048,128,128,129280,4096,16,1,8,B200,1,2,,,,"
                                            "bf16,none,flash,Megatron-Core,1,,,,");
    REQUIRE(catalogue.job.model.experts);
    CHECK(catalogue.job.model.experts->dense_layers == 1); // of three: one layer has experts
}

TEST_CASE("what notes say in other words is not read") {
    CHECK(noted_offload("FSDP, cpu_offloading_num_layers=20; 64 GPUs") == 20);
    CHECK(noted_offload("activations of 8 layers offloaded") == 8);
    CHECK(noted_offload("40 of 80 layers offloaded") == 40);
    CHECK(noted_offload("activations of 40 of the 80 layers offloaded") == 40);
    CHECK_FALSE(noted_offload("61 layers; optimizer offloaded"));
    const NotedShape shape = noted_shape("128 experts, 4 a token, head_dim 64; 12 runs of 3 hours");
    CHECK(shape.experts == 128);
    CHECK(shape.per_token == 4);
    CHECK(shape.head_dim == 64);
    CHECK_FALSE(shape.expert_ffn);
    CHECK_FALSE(shape.shared);
    CHECK_FALSE(shape.latent);
    CHECK_FALSE(noted_shape("expert parallel over 8 GPUs, shared storage").experts);
}

TEST_CASE("KV heads fewer than tensor ranks are copied") {
    const TrainingCase measured = one_case(
        header,
        "X,gpt-mqa,8,32,4096,16384,32,1,51200,2048,64,1,32,A100,8,1,,4,,bf16,none,flash,x,1,,,"
        ",");
    CHECK(measured.job.model.kv_heads == 1);
    CHECK(assumed(measured, "kv_heads"));
}

TEST_CASE("rows that contradict themselves are refused by name") {
    const std::string shape = "X,gpt,1.3,24,2048,8192,16,16,51200,2048,64,1,";
    CHECK_THROWS_WITH_AS(one_case(header, shape + "12,A100,8,1,,,,bf16,,,x,1,,,,"),
                         doctest::Contains("gpus"),
                         ModelError);
    CHECK_THROWS_WITH_AS(one_case(header, shape + "8,NoSuchGPU,1,1,,,,bf16,,,x,1,,,,"),
                         doctest::Contains("gpu"),
                         ModelError);
    CHECK_THROWS_WITH_AS(one_case(header, shape + "8,A100,1,1,,,,bf16,,,x,-1,,,,"),
                         doctest::Contains("step_s"),
                         ModelError);
}

} // namespace bursar::training_case_test
