#pragma once

#include "models/scaling/allocation.hpp"

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

}} // namespace bursar::models
