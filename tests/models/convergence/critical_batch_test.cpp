#include <cmath>

#include <doctest/doctest.h>

#include "models/convergence/critical_batch.hpp"
#include "models/errors/model_error.hpp"

#include "tests/properties.hpp"

namespace bursar::critical_batch_test {

TEST_CASE("steps and samples lie on McCandlish's hyperbola") {
    CHECK(check_property([] {
        const BatchTradeoff goal{1.0 * drawn::in_range(1, 1'000'000),
                                 1.0 * drawn::in_range(1, 100'000)};
        const double batch = drawn::in_range(1, 10'000'000);
        const double over_steps = steps_with(goal, batch) / goal.min_steps - 1;
        const double over_samples = samples_with(goal, batch) / goal.min_samples() - 1;
        RC_ASSERT(std::abs(over_steps * over_samples - 1) < 1e-6);
    }));
}

TEST_CASE("the critical batch takes twice the least steps and twice the least samples") {
    const BatchTradeoff goal{.min_steps = 1000, .critical_batch = 256};
    CHECK(steps_with(goal, 256) == doctest::Approx(2000));
    CHECK(samples_with(goal, 256) == doctest::Approx(2 * goal.min_samples()));
    CHECK(steps_with(goal, 1e9) == doctest::Approx(1000).epsilon(1e-6));
    CHECK(samples_with(goal, 1e-3) == doctest::Approx(256'000).epsilon(1e-5));
    CHECK_THROWS_AS((void)steps_with(goal, 0), ModelError);
}

TEST_CASE("the critical batch of a language model grows as it learns") {
    CHECK(critical_batch(1).count() == doctest::Approx(2e8));
    CHECK(critical_batch(2).count() == doctest::Approx(2e8 * std::exp2(-1 / 0.21)));
    CHECK(critical_batch(2) > critical_batch(3));
}

TEST_CASE("a run to a loss with the batch of the surface's runs takes the surface's tokens") {
    CHECK(check_property([] {
        const LossSurface& surface = default_loss_surface();
        const Allocation given{Parameters{1e9 * drawn::in_range(1, 1000)},
                               Tokens{1e9 * drawn::in_range(1, 100'000)}};
        const RunToLoss run =
            run_to_loss(surface, given.params, loss(surface, given), surface_batch);
        RC_ASSERT(std::abs(run.tokens / given.tokens - 1) < 1e-6);
        RC_ASSERT(std::abs(run.steps / (given.tokens / surface_batch) - 1) < 1e-6);
    }));
}

TEST_CASE("another batch moves a run to a loss along the hyperbola") {
    const LossSurface& surface = default_loss_surface();
    const Parameters params{7e9};
    const Tokens critical = critical_batch(2.1);
    const double of_surface = 1 + surface_batch / critical;
    const RunToLoss small = run_to_loss(surface, params, 2.1, Tokens{1});
    CHECK(loss(surface, params, small.surface_tokens) == doctest::Approx(2.1));
    CHECK(small.tokens / small.surface_tokens == doctest::Approx(1 / of_surface).epsilon(1e-5));
    const RunToLoss large = run_to_loss(surface, params, 2.1, critical);
    CHECK(large.tokens / large.surface_tokens == doctest::Approx(2 / of_surface));
    CHECK(large.steps * critical.count() == doctest::Approx(large.tokens.count()));
    CHECK(large.flops(params).count() ==
          doctest::Approx(6 * params.count() * large.tokens.count()));
    CHECK_THROWS_AS((void)run_to_loss(surface, params, 1.9, Tokens{4e6}), ModelError);
}

} // namespace bursar::critical_batch_test
