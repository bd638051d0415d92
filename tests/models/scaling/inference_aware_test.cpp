#include <cmath>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/scaling/compute_optimal.hpp"
#include "models/scaling/inference_aware.hpp"

#include "tests/properties.hpp"

namespace bursar::inference_aware_test {
namespace {

constexpr double target = 2.1411; // of the C = 1e22 optimum (FORMULAS 1.2)

Flops lifetime(const Allocation& run, Tokens served) {
    return training_flops(run) + inference_flops(run.params, served);
}

const ComputePrice h100_training{
    .usd_per_gpu_hour = 2.5, .peak = FlopRate{989e12}, .utilisation = 0.4};

} // namespace

TEST_CASE("served tokens ask for a smaller model (FORMULAS 1.5)") {
    struct Row {
        double served, params, tokens;
    };
    const Row rows[] = {{0, 9.05e9, 1.84e11}, {1e12, 4.62e9, 4.47e11}, {1e13, 2.78e9, 1.49e12}};
    for (const Row& row : rows) {
        CAPTURE(row.served);
        const Allocation run =
            inference_aware_optimal(default_loss_surface(), target, Tokens{row.served});
        CHECK(std::abs(run.params.count() / row.params - 1) < 2e-3); // three digits
        CHECK(std::abs(run.tokens.count() / row.tokens - 1) < 3e-3);
    }
}

TEST_CASE("the inference-aware run ends at the loss and costs least in its life") {
    CHECK(check_property([] {
        const LossSurface& surface = default_loss_surface();
        const double wanted = 1.9 + drawn::in_range(0, 1000) / 1000.0;
        const Tokens served{std::pow(10.0, drawn::in_range(9'000, 15'000) / 1000.0)};
        const Allocation run = inference_aware_optimal(surface, wanted, served);
        RC_ASSERT(std::abs(loss(surface, run) - wanted) < 1e-9);
        RC_ASSERT(run.params <= cheapest_for_loss(surface, wanted).params);
        for (const double factor : {0.98, 1.02, 1.5}) {
            const Parameters params = run.params * factor;
            if (params <= min_params(surface, wanted) * 1.001)
                continue;
            const Allocation other{params, tokens_to_reach(surface, params, wanted)};
            RC_ASSERT(lifetime(other, served) > lifetime(run, served));
        }
    }));
}

TEST_CASE("the FLOP of a model's life are training plus serving") {
    const Allocation run{Parameters{1e9}, Tokens{2e10}};
    CHECK(lifetime_flops(run, Tokens{5e10}).count() == doctest::Approx(1.2e20 + 1e20));
}

TEST_CASE("at the price of training the dollar form is the FLOP form") {
    const ServingDemand demand{Tokens{3e12}, Tokens{1e12}, h100_training, h100_training};
    CHECK(price_weighted_tokens(demand, h100_training).count() == doctest::Approx(4e12));
}

TEST_CASE("a low utilisation when serving counts like more tokens") {
    ComputePrice writing = h100_training;
    writing.utilisation = 0.04;
    const ServingDemand demand{Tokens{3e12}, Tokens{1e12}, h100_training, writing};
    CHECK(price_weighted_tokens(demand, h100_training).count() == doctest::Approx(13e12));
    // 1e21 FLOP at 989e12 x 0.4 take 702.2 hours
    CHECK(h100_training.usd(Flops{1e21}) == doctest::Approx(1755.4).epsilon(1e-4));
}

TEST_CASE("a utilisation above one or a negative demand is an error") {
    ComputePrice percent = h100_training;
    percent.utilisation = 40;
    CHECK_THROWS_AS((void)percent.usd(Flops{1}), ModelError);
    CHECK_THROWS_AS((void)inference_aware_optimal(default_loss_surface(), target, Tokens{-1}),
                    ModelError);
    CHECK_THROWS_AS((void)inference_aware_optimal(default_loss_surface(), 1.5, Tokens{1e12}),
                    ModelError);
}

} // namespace bursar::inference_aware_test
