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

TEST_CASE("a run to a loss takes the surface's tokens plus the waste of its batch") {
    const LossSurface& surface = default_loss_surface();
    const Parameters params{7e9};
    const Tokens critical = critical_batch(2.1);
    const RunToLoss small = run_to_loss(surface, params, 2.1, Tokens{1});
    CHECK(loss(surface, params, small.min_tokens) == doctest::Approx(2.1));
    CHECK(small.tokens / small.min_tokens == doctest::Approx(1).epsilon(1e-5));
    const RunToLoss large = run_to_loss(surface, params, 2.1, critical);
    CHECK(large.tokens / large.min_tokens == doctest::Approx(2));
    CHECK(large.steps * critical.count() == doctest::Approx(large.tokens.count()));
    CHECK(large.flops(params).count() ==
          doctest::Approx(12 * params.count() * large.min_tokens.count()));
    CHECK_THROWS_AS((void)run_to_loss(surface, params, 1.9, Tokens{4e6}), ModelError);
}

} // namespace bursar::critical_batch_test
