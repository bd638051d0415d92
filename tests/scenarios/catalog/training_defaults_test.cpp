#include <doctest/doctest.h>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/catalog/training_defaults.hpp"

namespace bursar::training_defaults_test {
namespace {

const Gpu& gpu_of(const char* name) {
    static const Catalogue catalogue = builtin_catalogue();
    return *catalogue.find(name);
}

TrainingSettings settings(const StatedTraining& stated, const char* gpu = "H100") {
    return training_settings(stated, gpu_of(gpu), builtin_stacks());
}

} // namespace

TEST_CASE("scaling of fp8 by the words of published tables") {
    CHECK_FALSE(stated_scaling("fp8-hybrid Megatron-Core/NeMo").has_value());
    CHECK(stated_scaling("fp8 (delayed)") == Fp8Scaling::delayed);
    CHECK(stated_scaling("fp8-cs Megatron-Bridge 25.11") == Fp8Scaling::current);
    CHECK(stated_scaling("fp8 torchtitan compile") == Fp8Scaling::current);
    CHECK(stated_scaling("fp8 torchtitan compile asyncTP fp8-rowwise") == Fp8Scaling::per_row);
}

TEST_CASE("the year of a stack is in its name, or known, or taken as 2023") {
    CHECK(year_of_stack("Megatron-LM 2021") == 2021);
    CHECK(year_of_stack("Megatron-Core/NeMo") == 2024);
    CHECK(year_of_stack("Megatron-Bridge 25.11") == 2025);
    CHECK(year_of_stack("Composer/FSDP (PURE)") == 2022);
    CHECK(year_of_stack("something else") == 2023);
}

TEST_CASE("a stack on Blackwell is not older than the GPU; elsewhere it has its own year") {
    CHECK(year_on(gpu_of("GB200"), "Megatron-Core/NeMo") == 2025);
    CHECK(year_on(gpu_of("GB200"), "") == 2025);
    CHECK(year_on(gpu_of("H100"), "Megatron-Core/NeMo") == 2024);
    CHECK(year_on(gpu_of("A100"), "Megatron-LM 2021") == 2021);
    CHECK(year_on(gpu_of("A100"), "") == 2023);
    CHECK(settings({.framework = "Megatron-Core 0.8"}, "B200").attention == Attention::flash3);
}

TEST_CASE("settings that are not stated are those of the framework") {
    const TrainingSettings core = settings({.framework = "Megatron-Core 0.8", .tensor = 8});
    CHECK(core.profile->name == "megatron-core-h100");
    CHECK(core.attention == Attention::flash2);
    CHECK(core.recipe == StateRecipe::megatron_adam);
    CHECK(core.sharding == Sharding::zero1);
    CHECK(core.sequence_parallel);
    CHECK(core.scaling == Fp8Scaling::delayed);
    CHECK_FALSE(core.recompute.has_value());
    CHECK(core.assumptions().size() == 4); // attention, sharding, sequence parallel, loss
    const TrainingSettings old = settings({.framework = "Megatron-LM 2021", .tensor = 8});
    CHECK(old.attention == Attention::unfused);
    CHECK(old.sharding == Sharding::none);
    CHECK_FALSE(old.sequence_parallel);
    const TrainingSettings titan = settings({.framework = "torchtitan compile"});
    CHECK(titan.sharding == Sharding::zero3);
    CHECK(titan.recipe == StateRecipe::mixed_adam);
    CHECK(titan.compilation == Compilation::compiled);
    CHECK(settings({.framework = "Megatron-Core 0.8", .replicas = 1}).sharding == Sharding::none);
    CHECK(settings({.framework = "MaxText (JAX)"}).recompute == Recompute::full);
}

TEST_CASE("Megatron-Core by itself does not fuse the loss") {
    CHECK(settings({.framework = "Megatron-Core 0.8"}).unfused_loss);
    CHECK_FALSE(settings({.framework = "Megatron-Core/NeMo"}).unfused_loss);
    CHECK_FALSE(settings({.framework = "Megatron-Bridge 25.11"}).unfused_loss);
    CHECK_FALSE(
        settings({.framework = "Megatron-LM 2021"}).unfused_loss); // as its rows were fitted
    CHECK_FALSE(settings({}).unfused_loss);
}

TEST_CASE("stacks with recipes that offload activations do so where recompute is not stated") {
    CHECK(settings({.framework = "Megatron-Bridge 25.11"}, "GB200").offloads_activations);
    CHECK(settings({.framework = "NeMo 25.04"}, "GB200").offloads_activations);
    CHECK(settings({}, "GB200").offloads_activations); // megatron-core-h100 is of Megatron-Bridge
    CHECK_FALSE(settings({.framework = "NeMo AutoModel"}, "GB200").offloads_activations);
    CHECK_FALSE(settings({.framework = "torchtitan"}, "GB200").offloads_activations);
    CHECK_FALSE(settings({.framework = "NeMo 25.04", .recompute = Recompute::full}, "GB200")
                    .offloads_activations);
}

TEST_CASE("frameworks named after DeepSpeed or a stage of ZeRO lead to its stack") {
    for (const char* name :
         {"DeepSpeed ZeRO-3", "deepspeed", "deepspeed zero3", "ZeRO-3", "zero 3"}) {
        CAPTURE(name);
        const TrainingSettings found = settings({.framework = name, .replicas = 64}, "A100");
        CHECK(found.sharding == Sharding::zero3);
        CHECK(found.profile->name == "deepspeed-zero3");
    }
    CHECK(settings({.framework = "PyTorch FSDP ZeRO-3", .replicas = 64}).profile->name ==
          "torchtitan");
    CHECK(settings({.framework = "DeepSpeed ZeRO 2022", .replicas = 64}, "A100").why.sharding !=
          "as the stack is named");
    CHECK(settings({.framework = "DeepSpeed ZeRO-2"}, "A100").sharding == Sharding::zero2);
    CHECK(settings({.framework = "deepspeed zero_1"}, "A100").sharding == Sharding::zero1);
    CHECK(settings({.framework = "DeepSpeed", .pipeline = 4}, "A100").sharding == Sharding::none);
    CHECK(settings({.framework = "Megatron-DeepSpeed"}, "A100").sharding == Sharding::none);
    CHECK(settings({}, "A100").sharding == Sharding::none); // fsdp-flash speaks for DeepSpeed+Liger
}

TEST_CASE("without a framework the nearest stack and the GPU's generation decide") {
    const TrainingSettings hopper = settings({.tensor = 8, .sequence = 8192});
    CHECK(hopper.profile->name == "megatron-core-h100");
    CHECK(hopper.attention == Attention::flash2);
    CHECK(hopper.sharding == Sharding::zero1);
    CHECK(hopper.sequence_parallel);
    CHECK(hopper.scaling == Fp8Scaling::delayed);
    CHECK_FALSE(settings({.tensor = 8, .sequence = 8191}).sequence_parallel);
    const TrainingSettings blackwell = settings({.sharding = Sharding::zero3}, "GB200");
    CHECK(blackwell.profile->name == "megatron-core-h100");
    CHECK(blackwell.attention == Attention::flash3);
    CHECK(blackwell.scaling == Fp8Scaling::current);
    CHECK(settings({.sharding = Sharding::zero3}).profile->name == "torchtitan");
    CHECK(settings({.tensor = 8}, "V100").attention == Attention::flash2);
    CHECK(settings({.precision = Precision::fp32}).recipe == StateRecipe::fp32_adam);
}

TEST_CASE("fp8 scales are the same with and without the name of the stack") {
    const auto scaling = [](const char* framework, const char* gpu) {
        return settings({.framework = framework}, gpu).scaling;
    };
    for (const char* name : {"", "Megatron-Bridge 25.11", "Megatron-Core/NeMo", "torchtitan"}) {
        CAPTURE(name);
        CHECK(scaling(name, "GB200") == Fp8Scaling::current);
    }
    CHECK(scaling("Megatron-Bridge 25.11", "H100") == Fp8Scaling::current);
    CHECK(scaling("Megatron-Core/NeMo", "H100") == Fp8Scaling::delayed);
    CHECK(scaling("MaxText (JAX)", "B200") == Fp8Scaling::delayed);
    const StackProfile* jax = builtin_stacks().for_framework("MaxText (JAX)");
    CHECK(settings({.profile = jax}, "B200").scaling == Fp8Scaling::delayed);
    const TrainingSettings bridge = settings({.framework = "Megatron-Bridge 25.11"}, "GB200");
    CHECK(bridge.why.scaling == "as usual in 2025");
}

TEST_CASE("what is stated stays") {
    StatedTraining stated{.framework = "Megatron-Core 0.8", .tensor = 8};
    stated.scaling = Fp8Scaling::per_row;
    stated.attention = Attention::unfused;
    stated.recipe = StateRecipe::pure_bf16;
    stated.compilation = Compilation::cuda_graphs;
    stated.sharding = Sharding::zero2;
    stated.sequence_parallel = false;
    stated.recompute = Recompute::selective;
    stated.profile = builtin_stacks().find("composer");
    const TrainingSettings all = settings(stated);
    CHECK(all.scaling == Fp8Scaling::per_row);
    CHECK(all.attention == Attention::unfused);
    CHECK(all.recipe == StateRecipe::pure_bf16);
    CHECK(all.compilation == Compilation::cuda_graphs);
    CHECK(all.sharding == Sharding::zero2);
    CHECK_FALSE(all.sequence_parallel);
    CHECK(all.recompute == Recompute::selective);
    CHECK(all.profile->name == "composer");
    CHECK(all.assumptions().empty());
}

TEST_CASE("nodes and NVLink domains are those of the GPU's servers") {
    CHECK(usual_cluster(gpu_of("H100"), {.gpus = 64}).gpus_per_node == 8);
    CHECK(usual_cluster(gpu_of("H100"), {.gpus = 4}).gpus_per_node == 4);
    std::vector<std::string> assumed;
    const Cluster rack =
        usual_cluster(gpu_of("GB200"), {.gpus = 144}, UnknownLinks::refused, &assumed);
    CHECK(rack.gpus_per_node == 72);
    CHECK(rack.gpus_per_host == 4);
    CHECK(assumed.size() == 3);
    CHECK(usual_cluster(gpu_of("GB300"), {.gpus = 256}).gpus_per_node == 64);
    Gpu unlinked = gpu_of("H100");
    unlinked.scaleup_gb_s.reset();
    const Cluster pcie = usual_cluster(unlinked, {.gpus = 8}, UnknownLinks::pcie, &assumed);
    CHECK(pcie.tree.levels.front().bandwidth.count() == 25e9);
    CHECK(assumed.back() == "link between GPUs of a node: PCIe, 25 GB/s");
    const StatedNodes node{.gpus = 8};
    CHECK(usual_cluster(unlinked, node, UnknownLinks::pcie).tree.levels.front().bandwidth.count() ==
          25e9);
    CHECK_THROWS_AS(static_cast<void>(usual_cluster(unlinked, node)), UnknownFact);
    CHECK(usual_cluster(gpu_of("GB200"), {.gpus = 16, .gpus_per_node = 8}).gpus_per_node == 16);
}

} // namespace bursar::training_defaults_test
