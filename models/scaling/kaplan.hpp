#pragma once

#include "models/scaling/allocation.hpp"

/// The laws of Kaplan et al. 2020, arXiv 2001.08361 (WebText2; parameters without embeddings). Kept
/// for comparison only: their learning-rate schedule was not matched to the run length, which
/// favours large models (Hoffmann et al. 2022).
namespace bursar { inline namespace models {

/// L(N) = (8.8e13 / N)^0.076 in nats per token, with data enough. non_embedding: > 0.
[[nodiscard]] double kaplan_loss(Parameters non_embedding);

/// L(D) = (5.4e13 / D)^0.095 in nats per token, with a model large enough. tokens: > 0.
[[nodiscard]] double kaplan_loss(Tokens tokens);

/// Factor by which the optimal model grows when the budget grows by `factor`: factor^0.73.
[[nodiscard]] double kaplan_params_growth(double factor);

}} // namespace bursar::models
