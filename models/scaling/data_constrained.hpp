#pragma once

#include "models/scaling/loss_surface.hpp"

/// The value of repeated data: each further epoch adds less, and so does each parameter beyond the
/// optimal number for the unique data. Source: Muennighoff et al. 2023, arXiv 2305.16264, eq. 5 and
/// 6. Valid to about 9e9 parameters, 9e11 tokens and 44 epochs.
namespace bursar { inline namespace models {

/// R*_D, repeats after which data has lost most of its worth (about 16 epochs), and R*_N, the same
/// of excess parameters. The paper's text prints 15 and 5.3; further digits [unverified].
inline constexpr double data_repeat_decay = 15.39;
inline constexpr double excess_params_decay = 5.31;

inline constexpr double max_epochs_fitted = 44;
inline constexpr Parameters max_params_fitted{9e9};
inline constexpr Tokens max_tokens_fitted{9e11};

/// D' = U + U R* (1 - exp(-R/R*)), R = D/U - 1: the number of unique tokens with the same effect as
/// `tokens` drawn from `unique` ones; `tokens` itself without repeats. Both > 0, else ModelError.
[[nodiscard]] Tokens effective_tokens(Tokens tokens, Tokens unique);

/// N' of a model of `params`, if the unique data is optimal for `fed`: the same form with R*_N;
/// both > 0, else ModelError.
[[nodiscard]] Parameters effective_params(Parameters params, Parameters fed);

/// N' and D' of a run on `unique` tokens, where `fed` is the compute-optimal model for them on
/// `surface`.
[[nodiscard]] Allocation
effective_allocation(const LossSurface& surface, const Allocation& run, Tokens unique);

/// The run on `unique` tokens that ends at the least loss(N', D') for `budget`. It is
/// compute_optimal() if the data is enough for that; otherwise a smaller model with more repeats,
/// since repeats decay slower than excess parameters. Throws ModelError unless both are > 0.
[[nodiscard]] Allocation
data_constrained_optimal(const LossSurface& surface, Flops budget, Tokens unique);

}} // namespace bursar::models
