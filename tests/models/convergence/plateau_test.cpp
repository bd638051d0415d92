#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "models/convergence/plateau.hpp"
#include "models/errors/model_error.hpp"
#include "models/random/normal.hpp"
#include "models/random/philox.hpp"

namespace bursar {
namespace {

std::vector<double> noise_of(std::size_t length, double deviation, std::uint64_t seed) {
    const RandomStream random{seed, Stream::run_times};
    std::vector<double> noise;
    for (std::uint32_t i = 0; i < length; ++i)
        noise.push_back(deviation * normal_quantile(random.uniform(0, i)));
    return noise;
}

} // namespace

TEST_CASE("a curve stops where its window improves too little") {
    // l(k) = 2 + 1/k: l(k-1) - l(k) = 1 / (k (k-1)) < 0.01 first at k = 11
    const LossCurve curve{.limit = 2, .distance = 1, .decay = 1};
    CHECK(plateau_stop(curve, {.patience = 1, .min_delta = 0.01}, 1000) == 11);
    // over 5: 5 / (k (k-5)) < 0.0099 first at k = 26: 25 x 20 = 500 is not enough
    CHECK(plateau_stop(curve, {.patience = 5, .min_delta = 0.0099}, 1000) == 26);
    CHECK(plateau_stop(curve, {.patience = 5, .min_delta = 0.01}, 20) == std::nullopt);
    CHECK(plateau_stop(curve, {.patience = 5, .min_delta = 0.01}, 3) == std::nullopt);
}

TEST_CASE("without noise both forms stop at the same evaluation") {
    CHECK(rc::check([] {
        const LossCurve curve{
            2, *rc::gen::inRange(1, 5000) / 1000.0, *rc::gen::inRange(10, 2000) / 1000.0};
        const PlateauRule rule{*rc::gen::inRange<std::int64_t>(1, 20),
                               *rc::gen::inRange(1, 1000) / 10'000.0};
        const std::vector<double> silence(500, 0.0);
        RC_ASSERT(plateau_stop(curve, rule, 500) == plateau_stop(curve, rule, silence));
    }));
}

TEST_CASE("more patience or a smaller delta never stops earlier") {
    CHECK(rc::check([] {
        const LossCurve curve{2, 1, *rc::gen::inRange(100, 1500) / 1000.0};
        const auto noise = noise_of(400, 0.02, *rc::gen::arbitrary<std::uint64_t>());
        const PlateauRule rule{*rc::gen::inRange<std::int64_t>(1, 10), 0.01};
        const auto stop = [&](const PlateauRule& other) {
            return plateau_stop(curve, other, noise).value_or(1000);
        };
        RC_ASSERT(stop({rule.patience + 1, rule.min_delta}) >= stop(rule));
        RC_ASSERT(stop({rule.patience, rule.min_delta / 2}) >= stop(rule));
    }));
}

TEST_CASE("noise alone ends a short patience early") {
    const LossCurve curve{.limit = 2, .distance = 1, .decay = 0.3};
    const auto noise = noise_of(2000, 0.05, 1);
    const PlateauRule hasty{.patience = 2, .min_delta = 1e-4};
    const std::optional<std::int64_t> quiet = plateau_stop(curve, hasty, 2000);
    const std::optional<std::int64_t> noisy = plateau_stop(curve, hasty, noise);
    REQUIRE(quiet);
    REQUIRE(noisy);
    CHECK(*noisy < *quiet);
}

TEST_CASE("a rule without a window is an error") {
    const LossCurve curve{.limit = 2, .distance = 1, .decay = 1};
    CHECK_THROWS_AS((void)plateau_stop(curve, {0, 0.1}, 10), ModelError);
    CHECK_THROWS_AS((void)plateau_stop(curve, {1, 0}, 10), ModelError);
    CHECK_THROWS_AS((void)plateau_stop({2, -1, 1}, {1, 0.1}, 10), ModelError);
}

} // namespace bursar
