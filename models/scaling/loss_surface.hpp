#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/scaling/allocation.hpp"

namespace bursar { inline namespace models {

/// The loss a language model ends at:  L(N, D) = E + A N^-alpha + B D^-beta,  nats per token.
///
/// Holds for decoder models on the data set and tokenizer it was fitted on (E, A and B depend on
/// them): compare losses of one surface only. Source: Hoffmann et al. 2022, eq. 2.
struct LossSurface {
    std::string id;              ///< "besiroglu2024"
    double entropy{};            ///< E: loss of an infinite model on infinite data, >= 0
    double params_coefficient{}; ///< A, > 0
    double tokens_coefficient{}; ///< B, > 0
    double alpha{};              ///< exponent of the parameters, > 0
    double beta{};               ///< exponent of the tokens, > 0
    Flops fitted_from{};         ///< least compute of the runs it was fitted on
    Flops fitted_to{};           ///< most compute of those runs
    std::string source;
    std::string caution; ///< why not to use it; empty: none
};

/// Every published coefficient set (FORMULAS 1.1), the default first.
[[nodiscard]] std::span<const LossSurface> published_loss_surfaces();

/// Besiroglu et al. 2024, which reproduces the Chinchilla runs best.
[[nodiscard]] const LossSurface& default_loss_surface();

/// The published surface of that id; null if there is none.
[[nodiscard]] const LossSurface* find_loss_surface(std::string_view id);

/// The terms of a loss; nats per token.
struct LossTerms {
    double entropy{}; ///< E
    double params{};  ///< A N^-alpha: from the finite model
    double tokens{};  ///< B D^-beta: from the finite data

    [[nodiscard]] double total() const { return entropy + params + tokens; }
};

/// The terms of L(N, D). Sizes > 0 (asserted).
[[nodiscard]] LossTerms loss_terms(const LossSurface& surface, const Allocation& run);

/// L(N, D) in nats per token. params, tokens: > 0.
[[nodiscard]] double loss(const LossSurface& surface, Parameters params, Tokens tokens);
[[nodiscard]] double loss(const LossSurface& surface, const Allocation& run);

/// The lower limit of models that reach `target`, for which tokens would be infinite. Throws
/// ModelError if no model does: target <= E.
[[nodiscard]] Parameters min_params(const LossSurface& surface, double target);

/// D(N) = (B / (L - E - A N^-alpha))^(1/beta): the tokens after which a model of `params` reaches
/// the loss `target`. Throws ModelError, naming the smallest model that would do, if no number of
/// tokens suffices.
[[nodiscard]] Tokens tokens_to_reach(const LossSurface& surface, Parameters params, double target);

/// Powers of ten by which `budget` lies outside the compute of the fitted runs; 0: inside.
[[nodiscard]] double decades_extrapolated(const LossSurface& surface, Flops budget);

}} // namespace bursar::models
