#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/measurements/measured_gpu.hpp"
#include "scenarios/measurements/stated_settings.hpp"

namespace bursar::stated_settings_test {
namespace {

Precision precision(const char* words, const char* gpu) {
    static const Catalogue catalogue = builtin_catalogue();
    Assumptions assumptions;
    return stated_precision(words, *catalogue.find(gpu), assumptions);
}

std::optional<Attention>
attention(const char* words, int stack_year = 2024, const char* gpu = "A100") {
    static const Catalogue catalogue = builtin_catalogue();
    Assumptions assumptions;
    return stated_attention(words, *catalogue.find(gpu), stack_year, assumptions);
}

StatedSharding sharding(const char* words) {
    Assumptions assumptions;
    return stated_sharding(words, assumptions);
}

} // namespace

TEST_CASE("number formats by the words of published tables") {
    CHECK(precision("fp16-mixed", "A100") == Precision::fp16);
    CHECK(precision("amp-fp16", "V100") == Precision::fp16);
    CHECK(precision("bf16-mixed", "H100") == Precision::bf16);
    CHECK(precision("fp16/bf16-mixed", "A100") == Precision::bf16);
    CHECK(precision("fp16/bf16-mixed", "V100") == Precision::fp16);
    CHECK(precision("fp8-hybrid", "H100") == Precision::fp8);
    CHECK(precision("fp8-mx", "GB300") == Precision::mxfp8);
    CHECK(precision("fp8 blockwise", "B200") == Precision::mxfp8);
    CHECK(precision("fp8 blockwise", "H100") == Precision::fp8);
    CHECK(precision("fp8-cs", "B200") == Precision::fp8);
    CHECK(precision("nvfp4", "B200") == Precision::nvfp4);
    CHECK(precision("nvfp4", "H100") == Precision::fp8);
    CHECK(precision("TF32", "A100") == Precision::tf32);
    CHECK(precision("float32", "A100") == Precision::fp32);
    CHECK(precision("amp", "V100") == Precision::fp16);
    CHECK(precision("", "A100") == Precision::bf16);
}

TEST_CASE("attention kernels by the words of published tables") {
    CHECK(attention("unfused") == Attention::unfused);
    CHECK(attention("flash") == Attention::flash2);
    CHECK(attention("flash1") == Attention::flash1);
    CHECK(attention("FlashAttention-3") == Attention::flash3);
    CHECK(attention("flash4") == Attention::flash3);
    CHECK(attention("sdpa") == Attention::flash2);
    CHECK_FALSE(attention("").has_value());
    // "flash" alone is the generation of its time, on GPUs that support it.
    CHECK(attention("flash", 2022) == Attention::flash1);
    CHECK(attention("flash", 2022, "H100") == Attention::flash2);
    CHECK(attention("flash", 2025, "GB200") == Attention::flash3);
    CHECK(attention("flash", 2025) == Attention::flash2);
}

TEST_CASE("sharding by the words of published tables") {
    CHECK(sharding("none").sharding == Sharding::none);
    CHECK(sharding("ddp").sharding == Sharding::none);
    CHECK(sharding("zero1").sharding == Sharding::zero1);
    CHECK(sharding("distributed-optimizer").sharding == Sharding::zero1);
    CHECK(sharding("ZeRO-2").sharding == Sharding::zero2);
    CHECK(sharding("fsdp").sharding == Sharding::zero3);
    CHECK(sharding("hsdp").sharding == Sharding::zero3);
    const StatedSharding offloaded = sharding("zero3+cpu-optimizer-offload");
    CHECK(offloaded.sharding == Sharding::zero3);
    CHECK(offloaded.offload_optimizer);
    CHECK_FALSE(sharding("zero2 offload none").offload_optimizer);
    CHECK_FALSE(sharding("").sharding.has_value());
}

TEST_CASE("different spellings of one sharding mean the same") {
    for (const char* words : {"zero2",
                              "ZeRO-2",
                              "zero stage 2",
                              "stage-2",
                              "grad_op",
                              "shard-grad-op",
                              "SHARD_GRAD_OP",
                              "fsdp-shard-grad-op",
                              "fsdp-zero2"}) {
        CAPTURE(words);
        CHECK(sharding(words).sharding == Sharding::zero2);
    }
    for (const char* words :
         {"none", "no-shard", "NO_SHARD", "fsdp no-shard", "zero-0", "ddp", "0", "dp"}) {
        CAPTURE(words);
        CHECK(sharding(words).sharding == Sharding::none);
    }
    for (const char* words : {"full-shard", "fsdp2", "fsdp-full", "FSDP", "fully sharded"}) {
        CAPTURE(words);
        CHECK(sharding(words).sharding == Sharding::zero3);
        CHECK(sharding(words).shard == 0);
    }
    CHECK(sharding("zero-1+cpu-offload").sharding == Sharding::zero1);
    CHECK(sharding("cpu-optimizer-offload").sharding == Sharding::none);
    CHECK(sharding("fsdp128xdp4").shard == 128);
    CHECK(sharding("fsdp+dp").in_groups);
}

TEST_CASE("an unknown word is refused with the nearest spelling") {
    const auto fault = [](const auto& read) -> std::string {
        try {
            static_cast<void>(read());
        } catch (const ModelError& error) {
            return error.what();
        }
        return {};
    };
    CHECK(fault([] { return sharding("zeero1"); }) ==
          "sharding: \"zeero1\" is not known (\"zeero\"); did you mean \"zero1\"?");
    CHECK(fault([] { return sharding("zero"); }).starts_with("sharding: \"zero\" is not known"));
    CHECK(fault([] { return sharding("zero4"); }).starts_with("sharding: \"zero4\" is not known"));
    CHECK(fault([] { return stated_recompute("selektive"); }).ends_with("\"selective\"?"));
    CHECK(fault([] { return precision("bf61", "H100"); }).starts_with("precision: "));
    CHECK(fault([] { return precision("bif16", "H100"); }).ends_with("\"bf16\"?"));
    CHECK(fault([] { return attention("flush2"); }).ends_with("did you mean \"flash2\"?"));
    CHECK(fault([] { return stated_sequence_parallel("maybe"); }).starts_with("seq_parallel: "));
}

TEST_CASE("recompute by the words of published tables") {
    CHECK(stated_recompute("none") == Recompute::none);
    CHECK(stated_recompute("selective") == Recompute::selective);
    CHECK(stated_recompute("selective-op") == Recompute::operators);
    CHECK(stated_recompute("full (uniform, 1 layer)") == Recompute::full);
    CHECK(stated_recompute("activation checkpointing") == Recompute::full);
    CHECK(stated_recompute("every 2") == Recomputation{Recompute::full, 2});
    CHECK(stated_recompute("every 3 layers") == Recomputation{Recompute::full, 3});
    CHECK(stated_recompute("every layer, full") == Recompute::full);
    CHECK_FALSE(stated_recompute("").has_value());
    CHECK_FALSE(stated_recompute("unpublished").has_value());
}

TEST_CASE("GPUs are found by their names in tables") {
    const Catalogue catalogue = builtin_catalogue();
    const auto found = [&catalogue](const char* name) {
        Assumptions assumptions;
        return measured_gpu(name, std::nullopt, catalogue, assumptions).name;
    };
    CHECK(found("A100-SXM-80GB") == "A100-SXM4-80GB");
    CHECK(found("A100-SXM-40GB") == "A100-SXM4-40GB");
    CHECK(found("NVIDIA A100 PCIe") == "A100-PCIe-80GB");
    CHECK(found("H100-80GB-SXM") == "H100-SXM5-80GB");
    CHECK(found("V100 16GB") == "V100-SXM2-16GB");
    CHECK(found("A800-80GB") == "A100-SXM4-80GB");
    CHECK(found("B200-SXM") == "B200-SXM");
}

TEST_CASE("a power limit in a GPU's name slows it, with a note") {
    const Catalogue catalogue = builtin_catalogue();
    Assumptions assumptions;
    const Gpu limited =
        measured_gpu("H100-96GB HBM2e 500W", PublishedPeak{989}, catalogue, assumptions);
    CHECK(limited.name == "H100-SXM5-96GB");
    CHECK(achievable_peak(limited, Precision::bf16).count() ==
          doctest::Approx(794.5e12 * 0.874).epsilon(0.001));
    CHECK(assumptions.back().find("500 W") != std::string::npos);
    const Gpu whole =
        measured_gpu("H100-96GB HBM2e 700W", PublishedPeak{989}, catalogue, assumptions);
    CHECK(achievable_peak(whole, Precision::bf16).count() == doctest::Approx(794.5e12));
}

TEST_CASE("an unknown GPU is made from its peak, or refused") {
    const Catalogue catalogue = builtin_catalogue();
    Assumptions assumptions;
    const Gpu gpu = measured_gpu("FutureGPU-9000", PublishedPeak{5000}, catalogue, assumptions);
    CHECK(dense_peak(gpu, Precision::bf16).count() == doctest::Approx(5e15));
    CHECK(assumptions.size() == 1);
    // As on GB300 and as on B200.
    const auto bf16_of = [&](double nvfp4) {
        const Gpu small = measured_gpu(
            "FutureGPU-9000", PublishedPeak{nvfp4, Precision::nvfp4}, catalogue, assumptions);
        CHECK(dense_peak(small, Precision::nvfp4).count() == doctest::Approx(nvfp4 * 1e12));
        return dense_peak(small, Precision::bf16).count() / 1e12;
    };
    CHECK(bf16_of(15300) == doctest::Approx(15300.0 / 6));
    CHECK(bf16_of(9100) == doctest::Approx(9100.0 / 4));
    CHECK_THROWS_AS(measured_gpu("FutureGPU-9000", std::nullopt, catalogue, assumptions),
                    ModelError);
}

} // namespace bursar::stated_settings_test
