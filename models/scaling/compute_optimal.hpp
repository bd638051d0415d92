#pragma once

#include "models/scaling/loss_surface.hpp"

/// The least loss a budget buys, in closed form. On the budget line 6 N D = C the loss is least
/// where one percent more parameters and one percent more tokens lower it equally:
/// alpha A N^-alpha = beta B D^-beta. Source: Hoffmann et al. 2022, eq. 4.
namespace bursar { inline namespace models {

/// N = G (C/6)^a and D = (C/6)^b / G with G = (alpha A / (beta B))^(1/(alpha+beta)),
/// a = beta/(alpha+beta), b = 1 - a. Spends the budget to a part in 1e9.
/// Throws ModelError unless budget > 0.
[[nodiscard]] Allocation compute_optimal(const LossSurface& surface, Flops budget);

/// The exponent a: how the optimal number of parameters grows with compute.
[[nodiscard]] double optimal_params_exponent(const LossSurface& surface);

/// The model for which `tokens` are optimal. tokens: > 0, else ModelError.
[[nodiscard]] Parameters optimal_params(const LossSurface& surface, Tokens tokens);

/// The optimal tokens for a model of `params`. params: > 0, else ModelError.
[[nodiscard]] Tokens optimal_tokens(const LossSurface& surface, Parameters params);

/// The cheapest run that ends at the loss `target`. Throws ModelError when target <= E.
[[nodiscard]] Allocation cheapest_for_loss(const LossSurface& surface, double target);

}} // namespace bursar::models
