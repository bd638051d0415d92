#pragma once

#include <cstdint>

#include "models/training/job/layout.hpp"
#include "models/training/job/transformer.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// How a source counts the FLOP of a token (FORMULAS 2.4). Figures compare within one convention
/// only: Llama-3-8B at 8192 tokens reads 12 % higher as full square than as causal.
enum class FlopConvention : std::uint8_t {
    full_square, ///< attention as if every token saw every other
    causal,      ///< only the half that a causal mask leaves
    six_n        ///< 6 per active parameter, no attention term
};

/// Matrix-product weights of one layer: attention, and the feed-forward part a token goes through
/// (router, top-k experts and the shared one for a mixture).
double attention_parameters(const Transformer& model);
double active_ffn_parameters(const Transformer& model);

/// Share of the layers that have experts; 0 for a dense model. All functions for one layer give the
/// mean layer.
double expert_layer_share(const Transformer& model);

/// Size of a head per score: the mean of query and value.
double score_dim(const Transformer& model);

/// Tokens in a token's attention, before any causal mask: the mean of whole and windowed layers.
/// sequence: > 0.
double attended_tokens(const Transformer& model, std::int64_t sequence);

/// All weights of one layer, with all experts.
double layer_parameters(const Transformer& model);

/// Of one layer's weights, those of the routed experts; 0 for a dense model.
double expert_parameters(const Transformer& model);

/// Embedding plus, when it is not tied, the output projection.
double embedding_parameters(const Transformer& model);

/// All weights, and those that a token uses. Norms and biases (below 0.1 %) are left out, as in
/// Narayanan 2021.
double parameters(const Transformer& model);
double active_parameters(const Transformer& model);

/// Forward and backward FLOP of one token in a sequence of `sequence` tokens, nothing recomputed.
///
/// 6 L (P_att + P_ffn) + 6 V h + k L a d_head s, k = 12 full square, 6 causal. Source:
/// FORMULAS 2.1.
Flops flops_per_token(const Transformer& model, std::int64_t sequence, FlopConvention convention);

/// FLOP of one token that `recompute` adds to the full-square count: the layers' forward pass
/// again, its attention core, or half of its products (FORMULAS 2.4).
Flops recomputed_flops(const Transformer& model,
                       std::int64_t sequence,
                       const Recomputation& recompute);

/// FLOP of one step in the closed forms of Narayanan et al. 2021 (eq. 3) and Korthikanti et al.
/// 2022, for a GELU model with f = 4h: `hardware` counts the full recompute of the layers,
/// 96 B s L h^2 (1 + s/6h + V/16Lh); `model` does not, 72 B s L h^2 (1 + s/6h + V/12Lh).
Flops narayanan_hardware_flops(const Transformer& model, std::int64_t sequence, double batch);
Flops narayanan_model_flops(const Transformer& model, std::int64_t sequence, double batch);

/// Share of the peak that useful FLOP (MFU) or executed FLOP (HFU) make up: pass the count in the
/// desired convention. gpus: > 0. peak: per GPU, dense.
double flops_utilization(Flops step_flops, Seconds step, double gpus, FlopRate peak);

}} // namespace bursar::models
