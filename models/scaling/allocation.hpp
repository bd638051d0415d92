#pragma once

#include "models/units/physics.hpp"

/// The size of a language model's training run: parameters and tokens.
namespace bursar { inline namespace models {

using Parameters = Quantity<struct ParameterTag, double>; ///< trained weights, a count
using Tokens = Quantity<struct TokenTag, double>;         ///< tokens trained on, a count

/// How a compute budget is spent: N parameters trained on D tokens, both > 0.
struct Allocation {
    Parameters params;
    Tokens tokens;
};

/// FLOP per parameter and token: 2 forward, 4 backward. Leaves out attention over the sequence,
/// which matters once a sequence is longer than half the hidden size. Source: Kaplan et al. 2020,
/// section 2.1.
inline constexpr double training_flop_per_param_token = 6;
inline constexpr double inference_flop_per_param_token = 2; ///< forward only; same source

/// C = 6 N D.
constexpr Flops training_flops(Parameters params, Tokens tokens) {
    return Flops{training_flop_per_param_token * params.count() * tokens.count()};
}
constexpr Flops training_flops(const Allocation& run) {
    return training_flops(run.params, run.tokens);
}

/// 2 N D: reading or writing `tokens` with a trained model.
constexpr Flops inference_flops(Parameters params, Tokens tokens) {
    return Flops{inference_flop_per_param_token * params.count() * tokens.count()};
}

/// D = C / 6N: what a budget leaves for tokens. params: > 0.
constexpr Tokens affordable_tokens(Flops budget, Parameters params) {
    return Tokens{budget.count() / (training_flop_per_param_token * params.count())};
}

/// N = C / 6D: the model that sees `tokens` for a budget. tokens: > 0.
constexpr Parameters affordable_params(Flops budget, Tokens tokens) {
    return Parameters{budget.count() / (training_flop_per_param_token * tokens.count())};
}

/// D / N, the number people quote as "tokens per parameter".
constexpr double tokens_per_param(const Allocation& run) {
    return run.tokens.count() / run.params.count();
}

}} // namespace bursar::models
