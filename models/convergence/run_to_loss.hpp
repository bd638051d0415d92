#pragma once

#include "models/convergence/critical_batch.hpp"
#include "models/scaling/loss_surface.hpp"

namespace bursar { inline namespace models {

/// How long a model must train to end at a loss, with one batch size.
struct RunToLoss {
    Tokens min_tokens;     ///< D(N, L) of the loss surface, spent with a small batch
    Tokens critical_batch; ///< at the target loss
    double steps{};
    Tokens tokens; ///< steps x batch; above min_tokens by 1 + B / B_crit

    [[nodiscard]] Flops flops(Parameters params) const { return training_flops(params, tokens); }
};

/// Inverts the surface for the tokens of a model of `params` at the loss `target`, then lets the
/// batch waste its share of them: D (1 + B / B_crit(target)). Taking the surface's tokens for those
/// of a small batch is pessimistic for batches as large as its runs used. The learning-rate
/// schedule must end with the run (Hoffmann et al. 2022).
///
/// batch: tokens per step, > 0. Throws ModelError for a loss the model never reaches.
[[nodiscard]] RunToLoss
run_to_loss(const LossSurface& surface, Parameters params, double target, Tokens batch);

}} // namespace bursar::models
