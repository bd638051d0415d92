#include <cmath>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/scaling/compute_optimal.hpp"

#include "tests/properties.hpp"

namespace bursar::compute_optimal_test {
namespace {

/// A budget of 1e15 .. 1e28 FLOP, evenly in its logarithm.
Flops any_budget() {
    return Flops{std::pow(10.0, drawn::in_range(15'000, 28'000) / 1000.0)};
}

LossSurface any_surface() {
    const auto all = published_loss_surfaces();
    return all[drawn::in_range<std::size_t>(0, all.size())];
}

double percent_off(double value, double reference) {
    return 100 * std::abs(value / reference - 1);
}

} // namespace

TEST_CASE("the default surface is Besiroglu's") {
    CHECK(default_loss_surface().id == "besiroglu2024");
    CHECK(find_loss_surface("hoffmann_a3") != nullptr);
    CHECK(find_loss_surface("hoffmann") == nullptr);
}

TEST_CASE("loss falls with parameters and with tokens, towards the entropy") {
    CHECK(check_property([] {
        const LossSurface surface = any_surface();
        const Parameters params{std::pow(10.0, drawn::in_range(6'000, 13'000) / 1000.0)};
        const Tokens tokens{std::pow(10.0, drawn::in_range(8'000, 15'000) / 1000.0)};
        const double here = loss(surface, params, tokens);
        RC_ASSERT(loss(surface, params * 1.1, tokens) < here);
        RC_ASSERT(loss(surface, params, tokens * 1.1) < here);
        RC_ASSERT(here > surface.entropy);
    }));
}

TEST_CASE("the optimal run spends the budget to a part in 1e9") {
    CHECK(check_property([] {
        const Flops budget = any_budget();
        const Allocation best = compute_optimal(any_surface(), budget);
        RC_ASSERT(std::abs(training_flops(best) / budget - 1) < 1e-9);
    }));
}

TEST_CASE("the optimal run has the least loss on its budget line") {
    CHECK(check_property([] {
        const LossSurface surface = any_surface();
        const Flops budget = any_budget();
        const Allocation best = compute_optimal(surface, budget);
        const double least = loss(surface, best);
        for (const double factor : {0.2, 0.9, 0.999, 1.001, 1.1, 5.0}) {
            const Parameters params = best.params * factor;
            RC_ASSERT(loss(surface, params, affordable_tokens(budget, params)) > least);
        }
    }));
}

TEST_CASE("the cheapest run to a loss is the optimal run of its budget") {
    CHECK(check_property([] {
        const LossSurface surface = any_surface();
        const Allocation best = compute_optimal(surface, any_budget());
        const Allocation cheapest = cheapest_for_loss(surface, loss(surface, best));
        RC_ASSERT(percent_off(cheapest.params.count(), best.params.count()) < 1e-4);
        RC_ASSERT(percent_off(cheapest.tokens.count(), best.tokens.count()) < 1e-4);
        RC_ASSERT(percent_off(optimal_tokens(surface, best.params).count(), best.tokens.count()) <
                  1e-6);
        RC_ASSERT(percent_off(optimal_params(surface, best.tokens).count(), best.params.count()) <
                  1e-6);
    }));
}

TEST_CASE("a loss is the sum of its terms") {
    const LossTerms terms = loss_terms(default_loss_surface(), {Parameters{1e9}, Tokens{1e10}});
    CHECK(terms.entropy == 1.8172);
    CHECK(terms.params == doctest::Approx(482.01 * std::pow(1e9, -0.3478)));
    CHECK(terms.tokens == doctest::Approx(2085.43 * std::pow(1e10, -0.3658)));
    CHECK(terms.total() == loss(default_loss_surface(), Parameters{1e9}, Tokens{1e10}));
}

TEST_CASE("tokens to a loss invert the surface") {
    const LossSurface& surface = default_loss_surface();
    const Tokens tokens = tokens_to_reach(surface, Parameters{7e9}, 2.1);
    CHECK(loss(surface, Parameters{7e9}, tokens) == doctest::Approx(2.1).epsilon(1e-12));
}

TEST_CASE("an unreachable loss is an error with a remedy") {
    const LossSurface& surface = default_loss_surface();
    CHECK_THROWS_WITH_AS((void)min_params(surface, 1.8),
                         "loss: 1.8 is not above the irreducible loss of besiroglu2024; ask for "
                         "more than 1.817 nats per token",
                         ModelError);
    // (482.01 / (1.9 - 1.8172))^(1 / 0.3478) = 6.687e10
    CHECK_THROWS_WITH_AS((void)tokens_to_reach(surface, Parameters{1e9}, 1.9),
                         "params: a model of 1e+09 parameters never reaches a loss of 1.9; take "
                         "more than 6.687e+10 parameters",
                         ModelError);
    CHECK_THROWS_AS((void)compute_optimal(surface, Flops{0}), ModelError);
    CHECK_THROWS_AS((void)compute_optimal(surface, Flops{-1e20}), ModelError);
    CHECK_THROWS_AS((void)compute_optimal(surface, Flops{std::nan("")}), ModelError);
}

TEST_CASE("extrapolation is counted in decades beyond the fitted runs") {
    const LossSurface& surface = default_loss_surface(); // 1.4e18 .. 1.3e22
    CHECK(decades_extrapolated(surface, Flops{1e20}) == 0);
    CHECK(decades_extrapolated(surface, Flops{1.3e24}) == doctest::Approx(2));
    CHECK(decades_extrapolated(surface, Flops{1.4e17}) == doctest::Approx(1));
}

} // namespace bursar::compute_optimal_test
