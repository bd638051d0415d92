#include <doctest/doctest.h>

#include "scenarios/catalog/catalogue.hpp"

namespace bursar {

TEST_CASE("the built-in catalogue reads, and every GPU is found by all its names") {
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
    CHECK(v100->memory_gb == 16.0);
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

TEST_CASE("mistakes in a catalogue are told like any others") {
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
            "own.yaml:3:25: gpus.Y.aliases[0]: the name is taken (names and aliases are unique)\n"
            "own.yaml:3:48: gpus.Y.peaks.fp4: unknown key; did you mean \"fp8\"?");
    }
    CHECK_THROWS_AS(read_catalogue("no/such/file.yaml"), ScenarioError);
}

} // namespace bursar
