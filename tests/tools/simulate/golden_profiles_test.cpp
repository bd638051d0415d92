// Traces without run times against the simulators that they come from, through the command line.

#include <array>
#include <cstdint>
#include <fstream>
#include <string>
#include <utility>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/throughputs/pollux_profiles.hpp"

#include "tests/shared_data.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::golden_profiles_test {
namespace {

nlohmann::json metrics_of(const std::string& scenario) {
    const TemporaryFolder folder;
    const Answer answer = bursar({"run", folder.write("s.yaml", scenario), "--format", "json"});
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    CHECK(answer.err.find("no job reaches this class") == std::string::npos);
    return nlohmann::json::parse(answer.out)["metrics"];
}

/// A class of elastic jobs of that application and batch: 1 GPU to as many as there are shares of
/// the least batch on one GPU, at the measured speeds.
std::string
elastic_class(const ThroughputTable& table, const std::string& type, std::uint32_t most_gpus) {
    std::string speedups;
    const double alone = table.steps_per_s(type, "T4", 1).value();
    std::uint32_t most = 1;
    for (std::uint32_t gpus = 1; gpus <= most_gpus; ++gpus)
        if (const auto rate = table.steps_per_s(type, "T4", gpus)) {
            speedups += fmt::format("{}{}: {:.6f}", gpus > 1 ? ", " : "", gpus, *rate / alone);
            most = gpus;
        }
    return fmt::format("    - {{match: {{classes: {}}}, startup: 30 s, restart: 30 s, elastic: {{"
                       "gpus: 1..{}, rescale: 30 s, speedup: {{{}}}}}}}\n",
                       type,
                       most,
                       speedups);
}

struct Kind {
    const char* type;
    std::uint32_t most_gpus; ///< batch / least batch on one GPU, 64 at most
};
constexpr std::array kinds{Kind{"bert 384", 64},
                           Kind{"cifar10 2048", 64},
                           Kind{"cifar10 4096", 64},
                           Kind{"deepspeech2 320", 32},
                           Kind{"deepspeech2 640", 64},
                           Kind{"imagenet 3200", 64},
                           Kind{"imagenet 6400", 64},
                           Kind{"yolov3 64", 16}};

/// Metrics of workload 6 of Pollux on 64 T4. policy: without braces.
nlohmann::json metrics_of_workload_6(const std::string& trace,
                                     const std::filesystem::path& profiles,
                                     const std::string& classes,
                                     const std::string& policy) {
    nlohmann::json metrics = metrics_of(
        fmt::format("bursar: 1\n"
                    "workload:\n"
                    "  trace: {{file: {}}}\n"
                    "  gpu: T4\n"
                    "  speeds: {{file: {}, format: pollux-profiles, local_batch: {{yolov3: 8}}}}\n"
                    "  classes:\n{}"
                    "    - {{startup: 30 s, restart: 30 s}}\n"
                    "fleet: [{{pool: t4, purchase: owned, gpu: T4, nodes: 16, gpus_per_node: 4, "
                    "price: 0.5 USD/gpu-h}}]\n"
                    "policy: {{{}}}\n",
                    trace,
                    profiles.string(),
                    classes,
                    policy));
    CHECK(metrics["jct_s"]["count"] == 160);
    return metrics;
}

} // namespace

TEST_CASE("golden Gavel from its trace and its throughputs: fifo-perf within 0.1 %") {
    const auto trace = shared_data("golden/gavel/max_min_fairness.trace");
    const auto speeds = shared_data("data/jobs-gavel/simulation_throughputs.json.gz");
    if (!trace || !speeds)
        return;
    const nlohmann::json metrics = metrics_of(fmt::format(
        "bursar: 1\n"
        "workload: {{trace: {{file: {}}}, gpu: V100-SXM2-16GB, speeds: {{file: {}}}}}\n"
        "fleet:\n"
        "  - {{pool: v100, purchase: owned, gpu: V100-SXM2-16GB, nodes: 8, gpus_per_node: 1, "
        "price: 2.48 USD/gpu-h}}\n"
        "  - {{pool: p100, purchase: owned, gpu: P100-PCIe-16GB, nodes: 16, gpus_per_node: 1, "
        "price: 1.46 USD/gpu-h}}\n"
        "  - {{pool: k80, purchase: owned, gpu: K80, nodes: 24, gpus_per_node: 1, "
        "price: 0.45 USD/gpu-h}}\n"
        "policy: {{allocator: {{name: fifo-perf, recompute: 1920 s}}, rounds: 360 s}}\n",
        trace->string(),
        speeds->string()));
    CHECK(metrics["jct_s"]["mean"].get<double>() == doctest::Approx(19526.9).epsilon(0.001));
    CHECK(metrics["makespan_s"].get<double>() == doctest::Approx(72320).epsilon(0.001));
}

// Tiresias of Pollux' simulator: queues go by submit, running or not, so that gangs that need many
// GPUs stop smaller ones that came later.
TEST_CASE("golden Pollux workload 6 from its profiles: Tiresias within 5 %") {
    const auto trace = shared_data("golden/pollux/workload-6.csv");
    const auto profiles = shared_data("data/jobs-sia/pollux_profiles");
    if (!trace || !profiles)
        return;
    const nlohmann::json metrics = metrics_of_workload_6(
        trace->string(),
        *profiles,
        "",
        "queue: {name: las, levels: [16 gpu-h], ties: submit}, capacity: count, rounds: 60 s");
    CHECK(metrics["jct_s"]["mean"].get<double>() == doctest::Approx(3469.69375).epsilon(0.05));
}

// Optimus of Pollux' simulator also places gangs over partly used nodes, where they are slower, and
// interpolates between numbers of GPUs by nodes.
TEST_CASE("golden Pollux workload 6 from its profiles: Optimus within 5 %") {
    const auto trace = shared_data("golden/pollux/workload-6.csv");
    const auto profiles = shared_data("data/jobs-sia/pollux_profiles");
    if (!trace || !profiles)
        return;
    const ThroughputTable table =
        read_pollux_profiles(profiles->string(), builtin_catalogue(), {}, {{"yolov3", 8}});
    std::string classes;
    for (const Kind& kind : kinds)
        classes += elastic_class(table, kind.type, kind.most_gpus);
    const nlohmann::json metrics = metrics_of_workload_6(
        trace->string(), *profiles, classes, "allocator: optimus, rounds: 60 s");
    CHECK(metrics["jct_s"]["mean"].get<double>() == doctest::Approx(5301.875).epsilon(0.05));
}

// Jobs under Pollux choose their batch, in its simulator anew in every epoch; here each number of
// GPUs has the batch with which a whole run is shortest. ncf has one GPU and one batch there, too.
TEST_CASE("golden Pollux workload 6: pollux is 25 % below Tiresias at least, and sia 20 %") {
    const auto trace = shared_data("golden/pollux/workload-6.csv");
    const auto profiles = shared_data("data/jobs-sia/pollux_profiles");
    if (!trace || !profiles)
        return;
    const ThroughputTable table =
        read_pollux_profiles(profiles->string(), builtin_catalogue(), {}, {{"yolov3", 8}});
    std::string classes;
    for (const char* application : {"bert", "cifar10", "deepspeech2", "imagenet", "yolov3"})
        classes += elastic_class(table, fmt::format("{} best", application), 64);
    std::ifstream in{*trace};
    std::string jobs;
    for (std::string line; std::getline(in, line);) {
        const bool chooses = line.find("ncf") == std::string::npos && !jobs.empty();
        jobs += (chooses ? line.substr(0, line.rfind(',') + 1) + "best" : line) + "\n";
    }
    const TemporaryFolder folder;
    const std::string chosen = folder.write("workload.csv", jobs);
    struct Case {
        const char* allocator;
        double most;      // of the published JCT of Tiresias
        double on_page_s; // mean JCT that the page of scenarios states
    };
    for (const auto& [allocator, most, on_page_s] :
         {Case{"pollux", 0.75, 2'515},
          Case{"sia", 0.8, 2'651},
          Case{"{name: pollux, growth: doubling}", 0.8, 2'671},
          Case{"{name: sia, growth: doubling}", 0.8, 2'737}}) {
        CAPTURE(allocator);
        const nlohmann::json metrics = metrics_of_workload_6(
            chosen,
            *profiles,
            classes,
            fmt::format("allocator: {}, rounds: 60 s, capacity: count", allocator));
        const auto mean_s = metrics["jct_s"]["mean"].get<double>();
        CHECK(mean_s < most * 3469.69375);
        CHECK(mean_s == doctest::Approx(on_page_s).epsilon(0.001));
    }
}

} // namespace bursar::test::golden_profiles_test
