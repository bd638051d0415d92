#include <cmath>
#include <utility>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/scaling/compute_optimal.hpp"
#include "models/scaling/data_constrained.hpp"

#include "tests/properties.hpp"

namespace bursar::data_constrained_test {

TEST_CASE("the worth of epochs is Muennighoff's form") { // FORMULAS 1.4
    const Tokens unique{1e11};
    const std::pair<double, double> printed[] = {
        {1, 1}, {2, 1.97}, {4, 3.73}, {8, 6.62}, {16, 10.6}, {40, 15.2}};
    for (const auto& [epochs, multiple] : printed) {
        CAPTURE(epochs);
        const double tolerance = multiple < 10 ? 0.005 : 0.05; // half of the last digit
        CHECK(std::abs(effective_tokens(unique * epochs, unique) / unique - multiple) <= tolerance);
    }
    CHECK(effective_tokens(unique * 0.5, unique) == unique * 0.5);
}

TEST_CASE("repeats help ever less and never beyond their limit") {
    CHECK(check_property([] {
        const Tokens unique{1e9 * drawn::in_range(1, 1000)};
        const double epochs = drawn::in_range(1, 60);
        const auto worth = [&](double times) { return effective_tokens(unique * times, unique); };
        RC_ASSERT(worth(epochs + 1) > worth(epochs));
        RC_ASSERT(worth(epochs + 2) - worth(epochs + 1) < worth(epochs + 1) - worth(epochs));
        RC_ASSERT(worth(epochs) / unique < 1 + data_repeat_decay);
    }));
}

TEST_CASE("excess parameters for the data count less") {
    CHECK(effective_params(Parameters{1e9}, Parameters{2e9}) == Parameters{1e9});
    // 1 + 5.31 (1 - exp(-1 / 5.31)) = 1.9116
    CHECK(effective_params(Parameters{2e9}, Parameters{1e9}).count() ==
          doctest::Approx(1.9116e9).epsilon(1e-4));
}

TEST_CASE("with enough data the constrained optimum is the free one") {
    const LossSurface& surface = default_loss_surface();
    const Allocation free = compute_optimal(surface, Flops{1e22});
    const Allocation run = data_constrained_optimal(surface, Flops{1e22}, Tokens{1e12});
    CHECK(run.params == free.params);
    CHECK(run.tokens == free.tokens);
}

TEST_CASE("with little data it spends the budget, on more epochs of a smaller model") {
    CHECK(check_property([] {
        const LossSurface& surface = default_loss_surface();
        const Flops budget{std::pow(10.0, drawn::in_range(20'000, 24'000) / 1000.0)};
        const Allocation free = compute_optimal(surface, budget);
        const Tokens unique = free.tokens * (drawn::in_range(20, 900) / 1000.0);
        const Allocation run = data_constrained_optimal(surface, budget, unique);
        RC_ASSERT(std::abs(training_flops(run) / budget - 1) < 1e-9);
        RC_ASSERT(run.tokens > free.tokens); // repeats decay slower than excess parameters
        const auto ends_at = [&](const Allocation& size) {
            return loss(surface, effective_allocation(surface, size, unique));
        };
        RC_ASSERT(ends_at(run) > loss(surface, free)); // less data never helps
        for (const double factor : {0.3, 0.97, 1.03, 3.0}) {
            const Parameters params = run.params * factor;
            RC_ASSERT(ends_at({params, affordable_tokens(budget, params)}) > ends_at(run));
        }
    }));
}

TEST_CASE("no data is an error") {
    CHECK_THROWS_AS((void)effective_tokens(Tokens{1e9}, Tokens{0}), ModelError);
    CHECK_THROWS_AS((void)data_constrained_optimal(default_loss_surface(), Flops{1e22}, Tokens{-1}),
                    ModelError);
}

} // namespace bursar::data_constrained_test
