#include <array>
#include <vector>

#include <doctest/doctest.h>

#include "policies/precision/registry.hpp"

namespace bursar::precision_test {
namespace {

Gpu gpu_with(const std::vector<Precision>& formats) {
    Gpu gpu;
    for (const Precision format : formats)
        gpu.dense_peak_tflops[static_cast<std::size_t>(format)] = 1;
    return gpu;
}

const Gpu pascal = gpu_with({Precision::fp32});
const Gpu volta = gpu_with({Precision::fp32, Precision::fp16});
const Gpu ampere = gpu_with({Precision::fp32, Precision::tf32, Precision::fp16, Precision::bf16});
const Gpu hopper =
    gpu_with({Precision::fp32, Precision::tf32, Precision::fp16, Precision::bf16, Precision::fp8});

Precision under(std::string_view policy,
                const Gpu& gpu,
                Precision given = Precision::fp32,
                const std::vector<Precision>& forbidden = {}) {
    return format_under(policy, {}, {gpu, given, forbidden});
}

} // namespace

TEST_CASE("best-supported is the shortest format of each generation") {
    CHECK(under("best-supported", hopper) == Precision::fp8);
    CHECK(under("best-supported", ampere) == Precision::bf16);
    CHECK(under("best-supported", volta) == Precision::fp16);
    CHECK(under("best-supported", pascal) == Precision::fp32);
}

TEST_CASE("a format that a class forbids is replaced by the next longer one, tf32 if available") {
    const std::vector<Precision> no_fp8{Precision::fp8};
    CHECK(under("best-supported", hopper, Precision::fp32, no_fp8) == Precision::bf16);
    const std::vector<Precision> no_short{Precision::fp8, Precision::bf16, Precision::fp16};
    CHECK(under("best-supported", hopper, Precision::fp32, no_short) == Precision::tf32);
    CHECK(under("best-supported", volta, Precision::fp32, no_short) == Precision::fp32);
    CHECK(under("as-given", ampere, Precision::bf16, no_short) == Precision::tf32);
    CHECK(under("fp8", hopper, Precision::bf16, no_fp8) == Precision::bf16);
}

TEST_CASE("as-given changes no format, a fixed format all that are not forbidden") {
    for (const Precision given : {Precision::fp32, Precision::fp16, Precision::fp8}) {
        CHECK(under("as-given", hopper, given) == given);
        CHECK(under("bf16", hopper, given) == Precision::bf16);
    }
    CHECK(cluster_formats("fp8", {}) == std::vector<Precision>{Precision::fp8});
    CHECK(cluster_formats("best-supported", {}).empty());
    CHECK(cluster_formats("as-given", {}).empty());
}

TEST_CASE("first-supported takes the first of its formats that the GPU has and the class permits") {
    PolicyOptions options;
    const auto first = [&](const Gpu& gpu, const std::vector<Precision>& forbidden = {}) {
        return format_under("first-supported", options, {gpu, Precision::fp32, forbidden});
    };
    CHECK(first(hopper) == Precision::fp8); // by default fp8, bf16, fp16
    CHECK(first(ampere) == Precision::bf16);
    CHECK(first(volta) == Precision::fp16);
    options.set(
        "formats",
        {static_cast<std::int64_t>(Precision::fp16), static_cast<std::int64_t>(Precision::fp8)});
    CHECK(first(hopper) == Precision::fp16);
    CHECK(first(hopper, {Precision::fp16}) == Precision::fp8);
    CHECK(first(ampere, {Precision::fp16}) == Precision::fp32); // as given
    CHECK(cluster_formats("first-supported", options) ==
          std::vector<Precision>{Precision::fp16, Precision::fp8});
}

} // namespace bursar::precision_test
