#pragma once

#include <string_view>

#include "models/scaling/allocation.hpp"
#include "models/scaling/loss_surface.hpp"

/// Batch size against steps: below the critical batch more samples per step save steps in
/// proportion, above it they are mostly wasted. Source: McCandlish et al. 2018, arXiv 1812.06162,
/// eq. 2.11: (S/S_min - 1)(E/E_min - 1) = 1 with B_crit = E_min / S_min.
namespace bursar { inline namespace models {

/// A training goal, as the two limits that no batch size beats.
struct BatchTradeoff {
    double min_steps{};      ///< S_min: steps with an endless batch, > 0
    double critical_batch{}; ///< B_crit = E_min / S_min, in the units of a batch, > 0

    /// E_min: samples (or tokens) used with a tiny batch.
    [[nodiscard]] double min_samples() const { return min_steps * critical_batch; }
};

/// S = S_min (1 + B_crit / B). batch: > 0, in the units of B_crit, else ModelError.
[[nodiscard]] double steps_with(const BatchTradeoff& goal, double batch);

/// E = E_min (1 + B / B_crit) = S B. batch: as above.
[[nodiscard]] double samples_with(const BatchTradeoff& goal, double batch);

/// B_crit(L) = 2e8 tokens / L^(1/0.21): the critical batch of a language model once it has reached
/// the loss L, nats per token > 0, else ModelError. Source: Kaplan et al. 2020, eq. 1.4 (their data
/// and tokenizer).
[[nodiscard]] Tokens critical_batch(double loss);

/// Tokens per step that the tokens of a loss surface refer to: those of the runs that it was fitted
/// to. Their batches are not published, so this is an assumption: Chinchilla's own batch.
inline constexpr Tokens surface_batch{3e6};
inline constexpr std::string_view surface_batch_source =
    "assumed: Chinchilla's own batch; those of the surface's runs are not published [unverified]";

/// How long a model must train to end at a loss, with one batch size.
struct RunToLoss {
    Tokens surface_tokens; ///< D(N, L) of the loss surface, spent with its own batch
    Tokens critical_batch; ///< at the target loss
    double steps{};
    Tokens tokens; ///< steps x batch: surface_tokens (1 + B / B_crit) / (1 + B_ref / B_crit)

    [[nodiscard]] Flops flops(Parameters params) const { return training_flops(params, tokens); }
};

/// Inverts the surface for the tokens of a model of `params` at the loss `target`, then moves them
/// from B_ref = surface_batch to `batch`: times (1 + B / B_crit) / (1 + B_ref / B_crit). Only for
/// tokens that follow from a loss: a run of given tokens has tokens / batch steps. The
/// learning-rate schedule must end with the run (Hoffmann et al. 2022).
///
/// batch: tokens per step, > 0. Throws ModelError for a loss the model never reaches.
[[nodiscard]] RunToLoss
run_to_loss(const LossSurface& surface, Parameters params, double target, Tokens batch);

}} // namespace bursar::models
