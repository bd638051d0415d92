#include "models/scaling/loss_surface.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "models/errors/model_error.hpp"
#include "models/errors/require.hpp"

namespace bursar { inline namespace models {
namespace {

// The range of compute of the runs digitised from Hoffmann's figure 4 (57M-16.2B parameters).
constexpr Flops digitized_from{1.4e18};
constexpr Flops digitized_to{1.3e22};

const std::array<LossSurface, 4>& surfaces() {
    static const std::array<LossSurface, 4> all{
        {{.id = "besiroglu2024",
          .entropy = 1.8172,
          .params_coefficient = 482.01,
          .tokens_coefficient = 2085.43,
          .alpha = 0.3478,
          .beta = 0.3658,
          .fitted_from = digitized_from,
          .fitted_to = digitized_to,
          .source = "Besiroglu et al. 2024, arXiv 2404.10102, abstract and table",
          .caution = {}},
         {.id = "epoch_notebook",
          .entropy = 1.81721,
          .params_coefficient = 477.817,
          .tokens_coefficient = 2142.52,
          .alpha = 0.347310,
          .beta = 0.367152,
          .fitted_from = digitized_from,
          .fitted_to = digitized_to,
          .source = "epoch-research/analyzing-chinchilla, 240 runs",
          .caution = {}},
         {.id = "hoffmann_a3",
          .entropy = 1.69337,
          .params_coefficient = 406.40,
          .tokens_coefficient = 410.72,
          .alpha = 0.33917084,
          .beta = 0.2849083,
          .fitted_from = digitized_from,
          .fitted_to = digitized_to,
          .source = "Hoffmann et al. 2022, arXiv 2203.15556, Approach 3, unrounded as in "
                    "epoch-research/analyzing-chinchilla",
          .caution = {}},
         {.id = "hoffmann_a3_rounded",
          .entropy = 1.69,
          .params_coefficient = 406.4,
          .tokens_coefficient = 410.7,
          .alpha = 0.34,
          .beta = 0.28,
          .fitted_from = digitized_from,
          .fitted_to = digitized_to,
          .source = "Hoffmann et al. 2022, arXiv 2203.15556, Approach 3 as printed",
          .caution = "exponents printed to two digits: off by 1.8 % on the runs they were fitted "
                     "to, three times the unrounded ones; use hoffmann_a3"}}};
    return all;
}

} // namespace

std::span<const LossSurface> published_loss_surfaces() {
    return surfaces();
}

const LossSurface& default_loss_surface() {
    return surfaces().front();
}

const LossSurface* find_loss_surface(std::string_view id) {
    const auto found = std::ranges::find(surfaces(), id, &LossSurface::id);
    return found == surfaces().end() ? nullptr : &*found;
}

LossTerms loss_terms(const LossSurface& surface, const Allocation& run) {
    assert(run.params.count() > 0 && run.tokens.count() > 0);
    return {.entropy = surface.entropy,
            .params = surface.params_coefficient * std::pow(run.params.count(), -surface.alpha),
            .tokens = surface.tokens_coefficient * std::pow(run.tokens.count(), -surface.beta)};
}

double loss(const LossSurface& surface, Parameters params, Tokens tokens) {
    return loss_terms(surface, {params, tokens}).total();
}

double loss(const LossSurface& surface, const Allocation& run) {
    return loss_terms(surface, run).total();
}

Parameters min_params(const LossSurface& surface, double target) {
    require_positive("loss", target);
    const double reducible = target - surface.entropy;
    if (reducible <= 0)
        throw ModelError{"loss",
                         four_digits(target) + " is not above the irreducible loss of " +
                             surface.id,
                         "ask for more than " + four_digits(surface.entropy) + " nats per token"};
    return Parameters{std::pow(surface.params_coefficient / reducible, 1 / surface.alpha)};
}

Tokens tokens_to_reach(const LossSurface& surface, Parameters params, double target) {
    require_positive("params", params.count());
    const Parameters least = min_params(surface, target);
    const double left = target - surface.entropy -
                        surface.params_coefficient * std::pow(params.count(), -surface.alpha);
    if (params <= least || left <= 0)
        throw ModelError{"params",
                         "a model of " + four_digits(params.count()) +
                             " parameters never reaches a loss of " + four_digits(target),
                         "take more than " + four_digits(least.count()) + " parameters"};
    return Tokens{std::pow(surface.tokens_coefficient / left, 1 / surface.beta)};
}

double decades_extrapolated(const LossSurface& surface, Flops budget) {
    // Differences of logarithms: the ratio of a very small budget is no double.
    const double above = std::log10(budget.count()) - std::log10(surface.fitted_to.count());
    const double below = std::log10(surface.fitted_from.count()) - std::log10(budget.count());
    return std::max({0.0, above, below});
}

}} // namespace bursar::models
