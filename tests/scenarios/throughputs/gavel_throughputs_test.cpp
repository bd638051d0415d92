#include <string>

#include <doctest/doctest.h>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/throughputs/throughput_table.hpp"

#include "tests/scenarios/traces/temporary_file.hpp"
#include "tests/shared_data.hpp"

namespace bursar::gavel_throughputs_test {
namespace {

ThroughputTable read(const std::string& text, const GpuNames& names = {}) {
    const test::TemporaryFile file{text};
    return read_gavel_throughputs(file.path(), builtin_catalogue(), names);
}

/// The mistake in a text, without the name of its file.
std::string mistake_of(const std::string& text) {
    try {
        static_cast<void>(read(text));
    } catch (const ScenarioError& error) {
        const std::string said = error.what();
        return said.substr(said.find(':') + 1);
    }
    return {};
}

const std::string three_workers = R"json({
  "k80": {"('A3C', 1)" : {"null" : 2.0},
                  "('LM (batch size 5)', 2)" : {
    "null" : 0.0
}
}
, "v100" : {
    "('A3C', 1)" : {"null" : 5.0, "('LM (batch size 5)', 1)" : [ 1.0, 1.0 ]},
    "('LM (batch size 5)', 1)" : {"null" : 8.0},
    "('LM (batch size 5)', 2)" : {"null" : 10.0}
},
           "v100_unconsolidated" : {
    "('LM (batch size 5)', 2)" : {
        "null" : 1.0
    }
}
})json";

} // namespace

TEST_CASE("a job's speed on a GPU is its throughput there over that of the GPU it ran on") {
    const ThroughputTable table = read(three_workers);
    const std::uint32_t a3c = table.number_of("A3C");
    const std::uint32_t lm = table.number_of("LM (batch size 5)");
    CHECK(a3c > 0);
    CHECK(table.number_of("CycleGAN") == 0);
    CHECK(table.ratio(a3c, "K80", "V100-SXM2-16GB", 1) == 2.5);
    CHECK(table.ratio(a3c, "V100-SXM2-16GB", "K80", 1) == 0.4);
    CHECK(table.ratio(lm, "V100-SXM2-16GB", "K80", 2) == 0);  // does not run there
    CHECK_FALSE(table.ratio(lm, "K80", "V100-SXM2-16GB", 2)); // nor ran there
    CHECK_FALSE(table.ratio(lm, "V100-SXM2-16GB", "K80", 1)); // not measured there
    CHECK_FALSE(table.ratio(a3c, "V100-SXM2-16GB", "H100-SXM5-80GB", 1));
    CHECK(table.ratio(a3c, "K80", "V100-SXM2-16GB", 8) == 2.5); // from the largest measured gang
}

TEST_CASE("two jobs that share GPUs have each their throughput over that alone") {
    const ThroughputTable table = read(R"json({"v100": {
        "('A3C', 1)": {"null": 5.0, "('LM', 1)": [4.0, 2.0], "('A3C', 1)": [3.0, 2.0],
                       "('LM', 2)": [1.0, 1.0]},
        "('LM', 1)": {"null": 8.0}, "('CycleGAN', 1)": {"('LM', 1)": [0.0, 0.0]}}})json");
    const std::uint32_t a3c = table.number_of("A3C");
    const std::uint32_t lm = table.number_of("LM");
    CHECK(table.shared_ratio(a3c, lm, "V100-SXM2-16GB", 1) == 0.8);
    CHECK(table.shared_ratio(lm, a3c, "V100-SXM2-16GB", 1) == 0.25);
    CHECK(table.shared_ratio(a3c, a3c, "V100-SXM2-16GB", 1) == 0.5); // neither is the first
    CHECK(table.shared_ratio(lm, table.number_of("CycleGAN"), "V100-SXM2-16GB", 1) == 0);
    CHECK_FALSE(table.shared_ratio(lm, lm, "V100-SXM2-16GB", 1));
    CHECK_FALSE(table.shared_ratio(a3c, lm, "V100-SXM2-16GB", 2)); // gangs of two sizes
    CHECK_FALSE(table.shared_ratio(a3c, lm, "K80", 1));
    CHECK(table.has_shared());
    CHECK(table.hash() != read(R"json({"v100": {"('A3C', 1)": {"null": 5.0}}})json").hash());
}

TEST_CASE("kinds of workers may be mapped to other GPUs") {
    const ThroughputTable table = read(three_workers, {{"v100", "V100-SXM2-32GB"}});
    CHECK(table.ratio(table.number_of("A3C"), "K80", "V100-SXM2-32GB", 1) == 2.5);
    CHECK_FALSE(table.ratio(table.number_of("A3C"), "K80", "V100-SXM2-16GB", 1));
    CHECK(table.hash() != read(three_workers).hash());
}

TEST_CASE("a malformed table of throughputs is reported with its place") {
    CHECK(mistake_of(R"json({"g9": {}})json").find("1:2: no GPU is named \"g9\"") !=
          std::string::npos);
    CHECK(mistake_of(R"json({"k80": {"A3C": {"null": 1.0}}})json").find("\"A3C\" is no job") !=
          std::string::npos);
    const auto job = [](const std::string& key, const std::string& rate) {
        return mistake_of("{\"k80\": {\"" + key + "\": {\"null\": " + rate + "}}}");
    };
    CHECK(job("('A3C', 1)", "1.0").empty());
    CHECK(job("('A3C', 0)", "1.0").find("is no job") != std::string::npos);
    CHECK(job("('A3C', 1)", "-1.0").find("is no number of steps") != std::string::npos);
    const auto shared = [](const std::string& other, const std::string& rates) {
        return mistake_of("{\"k80\": {\"('A', 1)\": {\"" + other + "\": " + rates + "}}}");
    };
    CHECK(shared("('B', 1)", "[1.0, 2.0]").empty());
    CHECK(shared("B", "[1.0, 2.0]").find("1:23: \"B\" is no job") != std::string::npos);
    CHECK(shared("('B', 1)", "[1.0]").find("is no pair of numbers") != std::string::npos);
    CHECK(shared("('B', 1)", "1.0").find("is no pair of numbers") != std::string::npos);
    CHECK(shared("('B', 1)", "[1.0, x]").find("is no number of steps") != std::string::npos);
    CHECK(mistake_of("[1, 2]").find("holds no throughputs") != std::string::npos);
}

TEST_CASE("the published table of Gavel is read completely") {
    const auto path = test::shared_data("data/jobs-gavel/simulation_throughputs.json.gz");
    if (!path)
        return;
    const ThroughputTable table = read_gavel_throughputs(path->string(), builtin_catalogue(), {});
    const std::uint32_t resnet = table.number_of("ResNet-50 (batch size 128)");
    REQUIRE(resnet > 0);
    CHECK(table.ratio(resnet, "P100-PCIe-16GB", "V100-SXM2-16GB", 1).value_or(0) ==
          doctest::Approx(2.4967655780898292 / 1.5843515911819712));
    CHECK(table.ratio(resnet, "V100-SXM2-16GB", "K80", 8) == 0); // its memory is too small there
    const std::uint32_t a3c = table.number_of("A3C");
    const std::uint32_t transformer = table.number_of("Transformer (batch size 32)");
    CHECK(table.shared_ratio(transformer, a3c, "V100-SXM2-16GB", 1).value_or(0) ==
          doctest::Approx(0.7729251445967826));
    CHECK(table.shared_ratio(resnet, a3c, "V100-SXM2-16GB", 1) == 0); // its memory is too small
    // A recommender waits for its input: the newer GPU is slower.
    CHECK(table
              .ratio(table.number_of("Recommendation (batch size 512)"),
                     "P100-PCIe-16GB",
                     "V100-SXM2-16GB",
                     1)
              .value_or(1) < 0.5);
}

} // namespace bursar::gavel_throughputs_test
