#include <array>

#include <doctest/doctest.h>

#include "models/calibration/fit_profile.hpp"
#include "models/errors/model_error.hpp"

#include "tests/models/network/example_links.hpp"

namespace bursar::fit_profile_test {
namespace {

Cluster a100_cluster() {
    Gpu gpu;
    gpu.name = "A100-SXM4-80GB";
    gpu.memory_gb = 80;
    gpu.memory_bandwidth_gb_s = 2039;
    gpu.scaleup_gb_s = 300;
    gpu.links = example_links();
    gpu.servers = example_servers();
    gpu.dense_peak_tflops = {19.5, 156, 312, 312, std::nullopt};
    return make_cluster(gpu, 8, ByteRate{200e9});
}

/// Runs of a small GPT with the step times of `truth`.
std::vector<StepObservation> observed(const StackProfile& truth) {
    std::vector<StepObservation> runs;
    for (const std::int64_t hidden : {1024, 2048, 4096})
        for (const std::int64_t tensor : {1, 2, 4})
            for (const std::int64_t micro_batch : {1, 4, 8}) {
                StepObservation run;
                Transformer& model = run.job.model;
                model.layers = 24;
                model.hidden = hidden;
                model.ffn = 4 * hidden;
                model.heads = model.kv_heads = 16;
                model.head_dim = hidden / 16;
                model.vocab = 51200;
                model.sequence = run.job.sequence = 1024;
                run.job.layout.tensor = tensor;
                run.job.layout.micro_batch = micro_batch;
                run.job.layout.micro_batches = 4;
                run.job.attention = Attention::unfused;
                run.cluster = a100_cluster();
                run.measured = modelled_time(run.job, run.cluster, run.part, truth);
                runs.push_back(run);
            }
    return runs;
}

} // namespace

TEST_CASE("a fit recovers the constants that generated the steps") {
    StackProfile truth;
    truth.gemm_efficiency = 0.8;
    truth.host_forward = Seconds{1.6e-3};
    truth.link_efficiency = 0.6;
    const std::array<std::string, 3> free{"gemm_efficiency", "host_forward", "link_efficiency"};
    const ProfileFit fit = fit_profile(observed(truth), StackProfile{}, free);
    CHECK(fit.profile.gemm_efficiency == doctest::Approx(0.8).epsilon(0.02));
    CHECK(fit.profile.host_forward.count() == doctest::Approx(1.6e-3).epsilon(0.02));
    CHECK(fit.profile.link_efficiency == doctest::Approx(0.6).epsilon(0.05));
    CHECK(profile_errors(observed(truth), fit.profile).mape < 0.01);
    CHECK(fit.at_bound.empty());
}

TEST_CASE("steps faster than physics allows drive a constant to its bound, never past it") {
    std::vector<StepObservation> runs = observed(StackProfile{});
    for (StepObservation& run : runs)
        run.measured = run.measured / 4.0;
    const std::array<std::string, 2> free{"gemm_efficiency", "memory_efficiency"};
    const ProfileFit fit = fit_profile(runs, StackProfile{}, free);
    for (const std::string& name : free) {
        const ProfileConstant& constant = *find_profile_constant(name);
        CHECK(constant.get(fit.profile) <= constant.max);
    }
    CHECK_FALSE(fit.at_bound.empty());
}

TEST_CASE("constants that the runs do not use are not decisive") {
    const std::vector<StepObservation> runs = observed(StackProfile{});
    const std::vector<std::string> names = decisive_constants(runs, StackProfile{}, 100);
    const auto has = [&names](const char* name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    CHECK(has("gemm_efficiency"));
    CHECK_FALSE(has("flash_efficiency")); // unfused attention
    CHECK_FALSE(has("host_message"));     // one stage
    CHECK(decisive_constants(runs, StackProfile{}, 3).size() == 3);
}

TEST_CASE("few rows move many constants a little way from the start, more rows further") {
    StackProfile truth;
    truth.gemm_efficiency = 0.6;
    truth.memory_efficiency = 0.5;
    truth.host_forward = Seconds{4e-3};
    const std::vector<StepObservation> all = observed(truth);
    const std::array<std::string, 4> free{
        "gemm_efficiency", "memory_efficiency", "host_forward", "link_efficiency"};
    const StackProfile start;
    const StackProfile three = fit_profile(std::span{all}.first(3), start, free).profile;
    const StackProfile many = fit_profile(all, start, free).profile;
    // A constant that three rows on one GPU do not determine keeps its start value.
    CHECK(three.link_efficiency == doctest::Approx(start.link_efficiency).epsilon(0.02));
    CHECK(three.memory_efficiency > 0.6);
    CHECK(many.memory_efficiency == doctest::Approx(0.5).epsilon(0.1));
    CHECK(profile_errors(all, three).mape < 0.5 * profile_errors(all, start).mape);
    CHECK(profile_errors(all, many).mape < 0.02);
}

TEST_CASE("no rows and an unknown constant are refused") {
    const std::array<std::string, 2> free{"gemm_efficiency", "host_forward"};
    CHECK_THROWS_AS(fit_profile({}, StackProfile{}, free), ModelError);
    const std::array<std::string, 1> unknown{"gem_efficiency"};
    CHECK_THROWS_WITH_AS(fit_profile(observed(StackProfile{}), StackProfile{}, unknown),
                         doctest::Contains("gem_efficiency"),
                         ModelError);
}

TEST_CASE("a pass is a part of the step") {
    const StepObservation run = observed(StackProfile{}).front();
    const auto time = [&run](MeasuredPart part) {
        return modelled_time(run.job, run.cluster, part, StackProfile{});
    };
    CHECK(time(MeasuredPart::forward) < time(MeasuredPart::forward_backward));
    CHECK(time(MeasuredPart::forward_backward) < time(MeasuredPart::step));
}

} // namespace bursar::fit_profile_test
