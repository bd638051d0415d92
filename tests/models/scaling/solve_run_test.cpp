#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/scaling/compute_optimal.hpp"
#include "models/scaling/solve_run.hpp"

namespace bursar::solve_run_test {
namespace {

SolvedRun solved(const RunConstraints& known) {
    const std::optional<SolvedRun> run = solve_run(default_loss_surface(), known);
    REQUIRE(run.has_value());
    return *run;
}

constexpr Parameters params{1e9};
constexpr Tokens tokens{20e9};
constexpr Flops budget{3e20};

} // namespace

TEST_CASE("two of parameters, tokens and budget give the third") {
    const SolvedRun given = solved({.params = params, .tokens = tokens});
    CHECK(given.rule == RunRule::as_given);
    CHECK(training_flops(given.run) == Flops{1.2e20});

    const SolvedRun longer = solved({.budget = budget, .params = params});
    CHECK(longer.rule == RunRule::tokens_of_budget);
    CHECK(longer.run.tokens == Tokens{50e9}); // 3e20 / (6 x 1e9)

    const SolvedRun larger = solved({.budget = budget, .tokens = tokens});
    CHECK(larger.rule == RunRule::params_of_budget);
    CHECK(larger.run.params == Parameters{2.5e9}); // 3e20 / (6 x 20e9)
    CHECK(larger.run.tokens == tokens);
}

TEST_CASE("one of them alone gives the optimum, and the three agree") {
    const SolvedRun best = solved({.budget = budget});
    CHECK(best.rule == RunRule::optimal_for_budget);
    CHECK(training_flops(best.run).count() == doctest::Approx(budget.count()));

    const SolvedRun of_params = solved({.params = best.run.params});
    CHECK(of_params.rule == RunRule::optimal_for_params);
    CHECK(of_params.run.tokens.count() == doctest::Approx(best.run.tokens.count()));

    const SolvedRun of_tokens = solved({.tokens = best.run.tokens});
    CHECK(of_tokens.rule == RunRule::optimal_for_tokens);
    CHECK(of_tokens.run.params.count() == doctest::Approx(best.run.params.count()));
}

TEST_CASE("a loss gives the cheapest run that ends there, or the tokens of a model") {
    const LossSurface& surface = default_loss_surface();
    const double target = loss(surface, {params, tokens});
    const SolvedRun longer = solved({.params = params, .loss = target});
    CHECK(longer.rule == RunRule::tokens_for_loss);
    CHECK(longer.run.tokens.count() == doctest::Approx(tokens.count()));

    const SolvedRun cheapest = solved({.loss = target});
    CHECK(cheapest.rule == RunRule::cheapest_for_loss);
    CHECK(loss(surface, cheapest.run) == doctest::Approx(target));
    CHECK(training_flops(cheapest.run) < training_flops(params, tokens));
}

TEST_CASE("no input gives no run, and too much input is refused") {
    const LossSurface& surface = default_loss_surface();
    CHECK_FALSE(solve_run(surface, {}).has_value());
    CHECK_THROWS_AS((void)solve_run(surface, {budget, params, tokens, {}}), ModelError);
    CHECK_THROWS_AS((void)solve_run(surface, {.budget = budget, .loss = 2.5}), ModelError);
    CHECK_THROWS_AS((void)solve_run(surface, {.tokens = tokens, .loss = 2.5}), ModelError);
}

} // namespace bursar::solve_run_test
