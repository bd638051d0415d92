#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "models/errors/model_error.hpp"
#include "models/random/normal.hpp"
#include "models/random/philox.hpp"
#include "models/scaling/surface_fit.hpp"

namespace bursar::surface_fit_test {
namespace {

/// Runs on an 8 x 8 grid of sizes with the losses of `surface` times log-normal noise.
std::vector<ScalingRun> runs_on(const LossSurface& surface, double noise, std::uint64_t seed) {
    const RandomStream random{seed, Stream::scaling_bootstrap};
    std::vector<ScalingRun> runs;
    for (std::uint32_t i = 0; i < 64; ++i) {
        const Allocation size{Parameters{5e7 * std::pow(2.0, i / 8)},
                              Tokens{1e9 * std::pow(2.5, i % 8)}};
        const double off = noise * normal_quantile(random.uniform(~std::uint64_t{0}, i));
        runs.push_back({size, loss(surface, size) * std::exp(off)});
    }
    return runs;
}

void check_equal(const LossSurface& found, const LossSurface& wanted, double tolerance) {
    CHECK(found.entropy == doctest::Approx(wanted.entropy).epsilon(tolerance));
    CHECK(found.alpha == doctest::Approx(wanted.alpha).epsilon(tolerance));
    CHECK(found.beta == doctest::Approx(wanted.beta).epsilon(tolerance));
    CHECK(std::log(found.params_coefficient) ==
          doctest::Approx(std::log(wanted.params_coefficient)).epsilon(tolerance));
    CHECK(std::log(found.tokens_coefficient) ==
          doctest::Approx(std::log(wanted.tokens_coefficient)).epsilon(tolerance));
}

bool holds(const Interval& interval, double value) {
    return interval.low <= value && value <= interval.high;
}

} // namespace

TEST_CASE("a fit stays at a minimum it starts from") {
    const LossSurface& surface = default_loss_surface();
    const SurfaceFit fit = refit_surface(runs_on(surface, 0, 1), surface);
    check_equal(fit.surface, surface, 1e-9);
    CHECK(fit.objective < 1e-20);
}

TEST_CASE("a fit to runs without noise recovers every published surface") {
    for (const LossSurface& surface : published_loss_surfaces()) {
        CAPTURE(surface.id);
        const SurfaceFit fit = fit_surface(runs_on(surface, 0, 1));
        check_equal(fit.surface, surface, 1e-4);
        CHECK(fit.objective < 1e-12);
        CHECK(fit.surface.fitted_from.count() == doctest::Approx(6 * 5e7 * 1e9));
    }
}

TEST_CASE("a few diverged runs hardly move the fit") {
    const LossSurface& surface = default_loss_surface();
    std::vector<ScalingRun> runs = runs_on(surface, 0, 1);
    runs[3].loss *= 1.5;
    runs[40].loss *= 2;
    check_equal(fit_surface(runs).surface, surface, 0.01);
}

TEST_CASE("the order of the runs does not matter") {
    std::vector<ScalingRun> runs = runs_on(default_loss_surface(), 0.003, 7);
    const SurfaceFit forward = fit_surface(runs);
    std::ranges::reverse(runs);
    check_equal(fit_surface(runs).surface, forward.surface, 1e-4);
}

TEST_CASE("intervals cover the surface the runs were drawn from, and shrink with the noise") {
    const LossSurface& surface = default_loss_surface();
    const auto intervals = [&](double noise) {
        const std::vector<ScalingRun> runs = runs_on(surface, noise, 11);
        return bootstrap_intervals(runs, fit_surface(runs), 100, 5);
    };
    const SurfaceIntervals wide = intervals(0.005);
    CHECK(holds(wide.entropy, surface.entropy));
    CHECK(holds(wide.params_coefficient, surface.params_coefficient));
    CHECK(holds(wide.tokens_coefficient, surface.tokens_coefficient));
    CHECK(holds(wide.alpha, surface.alpha));
    CHECK(holds(wide.beta, surface.beta));
    CHECK(holds(wide.params_exponent, surface.beta / (surface.alpha + surface.beta)));
    const SurfaceIntervals narrow = intervals(0.001);
    CHECK(narrow.alpha.high - narrow.alpha.low < wide.alpha.high - wide.alpha.low);
}

TEST_CASE("equal seeds give equal intervals, other seeds others") {
    const std::vector<ScalingRun> runs = runs_on(default_loss_surface(), 0.005, 3);
    const SurfaceFit fit = fit_surface(runs);
    const auto alpha = [&](std::uint64_t seed) {
        return bootstrap_intervals(runs, fit, 20, seed).alpha.low;
    };
    CHECK(alpha(1) == alpha(1));
    CHECK(alpha(1) != alpha(2));
}

TEST_CASE("95 % intervals cover the truth about as often as they say") {
    const LossSurface& surface = default_loss_surface();
    int covered = 0;
    for (std::uint64_t world = 0; world < 20; ++world) {
        const std::vector<ScalingRun> runs = runs_on(surface, 0.005, 100 + world);
        const SurfaceIntervals found = bootstrap_intervals(runs, fit_surface(runs), 30, world);
        covered += holds(found.alpha, surface.alpha) ? 1 : 0;
    }
    // Binomial(20, 0.95) is below 15 once in 3000; resampling few runs covers a little less.
    CHECK(covered >= 15);
}

TEST_CASE("runs that determine no surface are an error") {
    const std::vector<ScalingRun> good = runs_on(default_loss_surface(), 0, 1);
    const std::vector<ScalingRun> few{good.begin(), good.begin() + 9};
    CHECK_THROWS_WITH_AS((void)fit_surface(few),
                         "runs: 9 are too few for five coefficients; give at least 10",
                         ModelError);
    std::vector<ScalingRun> one_size = good;
    for (ScalingRun& run : one_size)
        run.size.params = Parameters{1e9};
    CHECK_THROWS_WITH_AS((void)fit_surface(one_size),
                         "params: all runs have the same number; vary the size of the model",
                         ModelError);
    std::vector<ScalingRun> broken = good;
    broken[5].loss = -1;
    CHECK_THROWS_AS((void)fit_surface(broken), ModelError);
    std::vector<ScalingRun> rising = good; // more of everything is worse
    for (ScalingRun& run : rising)
        run.loss = 1 / run.loss;
    CHECK_THROWS_AS((void)fit_surface(rising), ModelError);
    CHECK_THROWS_AS((void)bootstrap_intervals(good, fit_surface(good), 19, 1), ModelError);
}

TEST_CASE("the runs of highest loss are left out, the others keep their order") {
    const Allocation any{Parameters{1e9}, Tokens{1e9}};
    const std::array<ScalingRun, 4> runs{{{any, 3}, {any, 9}, {any, 2}, {any, 5}}};
    const std::vector<ScalingRun> kept = without_highest(runs, 2);
    REQUIRE(kept.size() == 2);
    CHECK(kept[0].loss == 3);
    CHECK(kept[1].loss == 2);
    CHECK(without_highest(runs, 0).size() == 4);
    CHECK_THROWS_AS((void)without_highest(runs, 4), ModelError);
}

TEST_CASE("a surface's error is the mean of its relative misses") {
    const LossSurface& surface = default_loss_surface();
    const Allocation size{Parameters{1e9}, Tokens{2e10}};
    const double fitted = loss(surface, size);
    const std::array<ScalingRun, 2> runs{{{size, fitted / 1.02}, {size, fitted / 0.99}}};
    CHECK(surface_error(surface, runs).mean_absolute == doctest::Approx(0.015));
    CHECK(surface_error(surface, runs).bias == doctest::Approx(0.005));
}

} // namespace bursar::surface_fit_test
