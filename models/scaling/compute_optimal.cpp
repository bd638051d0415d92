#include "models/scaling/compute_optimal.hpp"

#include <cassert>
#include <cmath>

#include "models/errors/require.hpp"

namespace bursar { inline namespace models {
namespace {

/// G of Hoffmann et al. 2022, eq. 4.
double balance(const LossSurface& surface) {
    return std::pow(surface.alpha * surface.params_coefficient /
                        (surface.beta * surface.tokens_coefficient),
                    1 / (surface.alpha + surface.beta));
}

} // namespace

double optimal_params_exponent(const LossSurface& surface) {
    return surface.beta / (surface.alpha + surface.beta);
}

Allocation compute_optimal(const LossSurface& surface, Flops budget) {
    require_positive("flops", budget.count());
    const double g = balance(surface);
    const double a = optimal_params_exponent(surface);
    const double products = budget.count() / training_flop_per_param_token;
    const Allocation best{Parameters{g * std::pow(products, a)},
                          Tokens{std::pow(products, 1 - a) / g}};
    require_outcome("params", best.params.count());
    require_outcome("tokens", best.tokens.count());
    assert(std::abs(training_flops(best).count() / budget.count() - 1) < 1e-9);
    return best;
}

Parameters optimal_params(const LossSurface& surface, Tokens tokens) {
    require_positive("tokens", tokens.count());
    const double g = balance(surface);
    const double a = optimal_params_exponent(surface);
    return Parameters{g * std::pow(g * tokens.count(), a / (1 - a))};
}

Tokens optimal_tokens(const LossSurface& surface, Parameters params) {
    require_positive("params", params.count());
    const double g = balance(surface);
    const double a = optimal_params_exponent(surface);
    return Tokens{std::pow(params.count() / g, (1 - a) / a) / g};
}

Allocation cheapest_for_loss(const LossSurface& surface, double target) {
    // With the optimum's condition in L, the parameters' share of the reducible loss is
    // beta / (alpha + beta).
    const double share = optimal_params_exponent(surface);
    const double infinite_data = min_params(surface, target).count();
    const Parameters params{infinite_data * std::pow(share, -1 / surface.alpha)};
    return {params, tokens_to_reach(surface, params, target)};
}

}} // namespace bursar::models
