#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/scaling/compute_optimal.hpp"
#include "models/scaling/surface_fit.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/measurements/scaling_runs.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"

#include "tests/shared_data.hpp"

namespace bursar::scaling_runs_test {
namespace {

std::vector<ScalingRun> read(const std::string& text) {
    MemorySource bytes{text};
    return read_scaling_runs(bytes, "runs.csv");
}

std::string refusal(const std::string& text) {
    try {
        (void)read(text);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    FAIL("was read");
    return {};
}

std::string rows(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
        text += "1e9,2e10,3.1\n";
    return text;
}

} // namespace

TEST_CASE("columns may have any order, among others") {
    const auto runs = read("seed,loss,params,tokens\n"
                           "1,2.5,7e9,1.4e11\n" +
                           [] {
                               std::string text;
                               for (int i = 0; i < 9; ++i)
                                   text += "2,3,1000000000,20000000000.0\n";
                               return text;
                           }());
    REQUIRE(runs.size() == 10);
    CHECK(runs[0].size.params == Parameters{7e9});
    CHECK(runs[0].size.tokens == Tokens{1.4e11});
    CHECK(runs[0].loss == 2.5);
    CHECK(runs[9].size.tokens == Tokens{2e10});
}

TEST_CASE("tokens follow from FLOP if they are missing") {
    const auto runs = read("params,flops,loss\n" + rows(10));
    CHECK(runs[0].size.tokens.count() == doctest::Approx(2e10 / 6e9));
}

TEST_CASE("tokens count if both are given") {
    std::string text = "params,flops,tokens,loss\n";
    for (int i = 0; i < 10; ++i)
        text += "1e9,5e20,2e10,3.1\n";
    CHECK(read(text)[0].size.tokens == Tokens{2e10});
}

TEST_CASE("every bad value is named with its place") {
    CHECK(refusal("params,tokens,loss\n"
                  "1e9,2e10,3.1\n"
                  "1e9,-2e10,3.1\n"
                  "1e9,2e10,nan\n"
                  "1e9,2e10\n"
                  "many,2e10,\n") ==
          "runs.csv:3:5: tokens: \"-2e10\" is not a finite number above zero\n"
          "runs.csv:4:10: loss: \"nan\" is not a finite number above zero\n"
          "runs.csv:5:1: 2 fields (the header has 3)\n"
          "runs.csv:6:1: params: \"many\" is not a finite number above zero\n"
          "runs.csv:6:11: loss: missing");
}

TEST_CASE("a header without a needed column is refused") {
    CHECK(refusal("params,tokens,los\n" + rows(10)).find("loss: no such column") !=
          std::string::npos);
    CHECK(refusal("params,loss\n" + rows(10)).find("tokens: no such column") != std::string::npos);
}

TEST_CASE("fewer runs than a fit takes are refused") {
    CHECK(refusal("params,tokens,loss\n" + rows(9)) ==
          "runs.csv: 9 runs (a loss surface has five coefficients; at least 10 runs are needed)");
    CHECK(read("params,tokens,loss\n" + rows(10)).size() == 10);
}

TEST_CASE("the digitized Chinchilla runs refit to the published optimum") { // FORMULAS 1.1
    const auto path = test::shared_data("validation/chinchilla_digitized_runs.csv");
    if (!path)
        return;
    const std::vector<ScalingRun> all = read_scaling_runs(path->string());
    REQUIRE(all.size() == 245);
    const std::vector<ScalingRun> runs = without_highest(all, 5);
    const SurfaceFit fit = fit_surface(runs);
    CHECK(std::abs(fit.surface.params_coefficient - 477.8) < 0.05);
    CHECK(std::abs(fit.surface.tokens_coefficient - 2143) < 0.5);
    CHECK(std::abs(fit.surface.entropy - 1.8172) < 5e-5);
    CHECK(std::abs(fit.surface.alpha - 0.3473) < 5e-5);
    CHECK(std::abs(fit.surface.beta - 0.3672) < 5e-5);
    CHECK(std::abs(fit.objective - 0.00101827) < 5e-9);
    // Besiroglu et al. state 1.8172 with a standard error of 0.03, hence about +-0.06.
    const SurfaceIntervals intervals = bootstrap_intervals(runs, fit, 100, 1);
    CHECK(intervals.entropy.low > 1.73);
    CHECK(intervals.entropy.high < 1.90);
    CHECK(intervals.params_exponent.low < 0.5);
    CHECK(intervals.params_exponent.high > 0.5126);
}

TEST_CASE("published surfaces miss the digitized runs by the errors in FORMULAS 1.1") {
    const auto path = test::shared_data("validation/chinchilla_digitized_runs.csv");
    if (!path)
        return;
    const auto runs = without_highest(read_scaling_runs(path->string()), 5);
    const auto percent = [&](const char* id) {
        return 100 * surface_error(*find_loss_surface(id), runs).mean_absolute;
    };
    CHECK(std::abs(percent("hoffmann_a3_rounded") - 1.78) < 0.005);
    CHECK(std::abs(percent("hoffmann_a3") - 0.56) < 0.005);
    CHECK(std::abs(percent("besiroglu2024") - 0.47) < 0.005);
    const SurfaceError rounded = surface_error(*find_loss_surface("hoffmann_a3_rounded"), runs);
    CHECK(std::abs(100 * rounded.bias - 1.69) < 0.005);
}

} // namespace bursar::scaling_runs_test
