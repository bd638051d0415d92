#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/catalog/catalogue.hpp"

namespace bursar::catalogue_test {

TEST_CASE("the built-in catalogue is read, and every GPU is found by all its names") {
    const Catalogue catalogue = builtin_catalogue();
    REQUIRE_FALSE(catalogue.gpus.empty());
    for (const Gpu& gpu : catalogue.gpus) {
        CAPTURE(gpu.name);
        CHECK(catalogue.find(gpu.name) == &gpu);
        for (const std::string& alias : gpu.aliases)
            CHECK(catalogue.find(alias) == &gpu);
        CHECK_FALSE(gpu.source.empty());
        CHECK_FALSE(gpu.date.empty());
    }
    CHECK(catalogue.find("Z80") == nullptr);
    const Gpu* v100 = catalogue.find("V100-SXM2-16GB");
    REQUIRE(v100 != nullptr);
    CHECK(v100->memory_gb.value() == doctest::Approx(16.9).epsilon(0.002)); // 15.75 GiB
    CHECK(v100->dense_peak_tflops[static_cast<std::size_t>(Precision::fp16)] == 125.0);
    CHECK_FALSE(supports(*v100, Precision::fp8));
}

TEST_CASE("a fact that is not stated stays absent; units convert") {
    const Catalogue catalogue =
        read_catalogue_text("gpus:\n"
                            "  - {name: X, vendor: V, memory_bandwidth: 3.35 TB/s, tdp: 0.7 kW,\n"
                            "     peaks: {fp8: 1.979 PFLOP/s}, source: s, date: 2026-01-31}\n",
                            "own.yaml");
    const Gpu& gpu = catalogue.gpus.at(0);
    CHECK_FALSE(gpu.memory_gb.has_value());
    CHECK(gpu.memory_bandwidth_gb_s == 3350.0);
    CHECK(gpu.tdp_w == 700.0);
    CHECK(gpu.dense_peak_tflops[static_cast<std::size_t>(Precision::fp8)] == 1979.0);
}

TEST_CASE("rates of the best matrix product are kept as shares of the peak") {
    const Catalogue catalogue = builtin_catalogue();
    const auto share = [&](const char* gpu, Precision precision) {
        return catalogue.find(gpu)->achievable_fraction[static_cast<std::size_t>(precision)];
    };
    CHECK(share("A100", Precision::bf16).value() == doctest::Approx(271.2 / 312));
    CHECK(share("H100", Precision::fp8).value() == doctest::Approx(1402.6 / 1979));
    CHECK_FALSE(share("A100", Precision::fp8).has_value());
    for (const Gpu& gpu : catalogue.gpus)
        for (const std::optional<double>& one : gpu.achievable_fraction)
            CHECK((!one || (*one > 0 && *one <= 1)));
}

TEST_CASE("GPUs are found by the names that measurements and drivers use") {
    const Catalogue catalogue = builtin_catalogue();
    const std::vector<std::pair<const char*, const char*>> spellings{
        {"A100-SXM-40GB", "A100-SXM4-40GB"},
        {"A100-SXM-80GB", "A100-SXM4-80GB"},
        {"NVIDIA A100-SXM4-80GB", "A100-SXM4-80GB"},
        {"A100 80GB SXM4", "A100-SXM4-80GB"},
        {"A100 40GB PCIe", "A100-PCIe-40GB"},
        {"A100 80GB PCIe", "A100-PCIe-80GB"},
        {"NVIDIA A100 SXM", "A100-SXM4-80GB"},
        {"NVIDIA H100 80GB HBM3", "H100-SXM5-80GB"},
        {"H100-SXM-80GB", "H100-SXM5-80GB"},
        {"nvidia h200 sxm", "H200-SXM"},
        {"NVIDIA B200 SXM", "B200-SXM"},
        {"AMD Instinct MI300X", "MI300X"},
        {"Quadro RTX 8000", "Quadro-RTX-8000"},
        {"NVIDIA GeForce RTX 3090", "RTX-3090"},
        {"RTX A6000", "RTX-A6000"},
        {"V100 16GB", "V100-SXM2-16GB"},
        {"Tesla V100-SXM2-32GB", "V100-SXM2-32GB"},
        {"V100-SXM3-32GB", "V100-SXM2-32GB"}};
    for (const auto& [written, meant] : spellings) {
        CAPTURE(written);
        REQUIRE(catalogue.find(written) != nullptr);
        CHECK(catalogue.find(written)->name == meant);
    }
    for (const char* other : {"", "NVIDIA", "A100 20GB", "80GB", "H100 SXM4", "RTX"}) {
        CAPTURE(other);
        CHECK(catalogue.find(other) == nullptr);
    }
}

TEST_CASE("an achievable rate needs a peak and stays below it") {
    try {
        read_catalogue_text(
            "gpus:\n"
            "  - {name: X, vendor: V, peaks: {bf16: 100 TFLOP/s}, source: s, date: 2026-01-31,\n"
            "     achievable: {bf16: 101 TFLOP/s, fp8: 10 TFLOP/s}}\n",
            "own.yaml");
        FAIL("accepted");
    } catch (const ScenarioError& error) {
        CHECK(std::string{error.what()} ==
              "own.yaml:3:25: gpus.X.achievable.bf16: above the peak (the peak is 100 TFLOP/s)\n"
              "own.yaml:3:43: gpus.X.achievable.fp8: a rate without a peak (it is kept as a share "
              "of the peak)");
    }
}

TEST_CASE("mistakes in a catalogue are reported like any others") {
    try {
        read_catalogue_text(
            "gpus:\n"
            "  - {name: X, vendor: V, memory: 80, source: s, date: 2026-01-31}\n"
            "  - {name: Y, aliases: [X], vendor: V, peaks: {fp4: 1 TFLOP/s}, source: s}\n",
            "own.yaml");
        FAIL("accepted");
    } catch (const ScenarioError& error) {
        CHECK(
            std::string{error.what()} ==
            "own.yaml:2:34: gpus.X.memory: \"80\" has no unit (expected a size such as \"20 GB\")\n"
            "own.yaml:3:5: gpus.Y.date: missing (when they were read)\n"
            "own.yaml:3:25: gpus.Y.aliases[0]: duplicate name (names and aliases are unique)\n"
            "own.yaml:3:48: gpus.Y.peaks.fp4: unknown key; did you mean \"fp8\" or \"nvfp4\"?");
    }
    CHECK_THROWS_AS(read_catalogue("no/such/file.yaml"), ScenarioError);
}

} // namespace bursar::catalogue_test
