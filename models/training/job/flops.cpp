#include "models/training/job/flops.hpp"

#include <algorithm>

namespace bursar { inline namespace models {
namespace {

double d(std::int64_t count) {
    return static_cast<double>(count);
}

double expert_weights(const Transformer& model, double ffn) {
    return d(model.ffn_matrices) * d(model.hidden) * ffn;
}

// Of a layer, those that make heads of latent vectors; zero without any.
double latent_head_parameters(const Transformer& model) {
    const auto& latent = model.latent;
    if (!latent)
        return 0;
    const double keys = d(model.head_dim) - d(latent->rotary_dim) + d(latent->value_dim);
    return d(model.heads) *
           (d(latent->query_rank) * d(model.head_dim) + d(latent->key_rank) * keys);
}

// 24 B s L h^2 per forward pass of the layers; a recomputing step makes four, another three.
Flops narayanan_flops(const Transformer& model,
                      std::int64_t sequence,
                      double batch,
                      double passes) {
    const double s = d(sequence);
    const double h = d(model.hidden);
    const double layers = d(model.layers);
    const double logits = d(model.vocab) / (4 * passes * layers * h);
    return Flops{24 * passes * batch * s * layers * h * h * (1 + s / (6 * h) + logits)};
}

} // namespace

double expert_layer_share(const Transformer& model) {
    if (!model.experts)
        return 0;
    return 1 - d(model.experts->dense_layers) / d(model.layers);
}

double score_dim(const Transformer& model) {
    if (!model.latent)
        return d(model.head_dim);
    return 0.5 * (d(model.head_dim) + d(model.latent->value_dim));
}

double attended_tokens(const Transformer& model, std::int64_t sequence) {
    const double windowed = d(model.windows.layers) / d(model.layers);
    // A sliding window is full for most tokens, so the causal mask does not halve it.
    const double seen = std::min(d(sequence), 2 * d(model.windows.tokens));
    return (1 - windowed) * d(sequence) + windowed * seen;
}

double attention_parameters(const Transformer& model) {
    if (const auto& latent = model.latent) {
        const double down = d(latent->query_rank) + d(latent->key_rank) + d(latent->rotary_dim);
        return d(model.hidden) * (down + d(model.heads) * d(latent->value_dim)) +
               latent_head_parameters(model);
    }
    const double heads = 2 * d(model.heads) + 2 * d(model.kv_heads);
    return d(model.hidden) * heads * d(model.head_dim);
}

double active_ffn_parameters(const Transformer& model) {
    if (!model.experts)
        return expert_weights(model, d(model.ffn));
    const Experts& experts = *model.experts;
    const double width = d(experts.per_token) * d(experts.ffn) + d(experts.shared_ffn);
    const double mixture = expert_weights(model, width) + d(model.hidden) * d(experts.count);
    const double share = expert_layer_share(model);
    return share * mixture + (1 - share) * expert_weights(model, d(model.ffn));
}

double expert_parameters(const Transformer& model) {
    if (!model.experts)
        return 0;
    return expert_layer_share(model) * d(model.experts->count) *
           expert_weights(model, d(model.experts->ffn));
}

double layer_parameters(const Transformer& model) {
    if (!model.experts)
        return attention_parameters(model) + active_ffn_parameters(model);
    const double shared = expert_weights(model, d(model.experts->shared_ffn));
    const double router = d(model.hidden) * d(model.experts->count);
    const double share = expert_layer_share(model);
    return attention_parameters(model) + expert_parameters(model) + share * (shared + router) +
           (1 - share) * expert_weights(model, d(model.ffn));
}

double embedding_parameters(const Transformer& model) {
    return (model.tied_embedding ? 1 : 2) * d(model.vocab) * d(model.hidden);
}

double parameters(const Transformer& model) {
    return d(model.layers) * layer_parameters(model) + embedding_parameters(model);
}

double active_parameters(const Transformer& model) {
    return d(model.layers) * (attention_parameters(model) + active_ffn_parameters(model)) +
           embedding_parameters(model);
}

Flops flops_per_token(const Transformer& model, std::int64_t sequence, FlopConvention convention) {
    const double layer = attention_parameters(model) + active_ffn_parameters(model);
    if (convention == FlopConvention::six_n)
        return Flops{6 * active_parameters(model)};
    const double logits = 6 * d(model.vocab) * d(model.hidden);
    const double per_pair = convention == FlopConvention::causal ? 6 : 12;
    const double attention =
        per_pair * d(model.heads) * score_dim(model) * attended_tokens(model, sequence);
    return Flops{d(model.layers) * (6 * layer + attention) + logits};
}

Flops recomputed_flops(const Transformer& model,
                       std::int64_t sequence,
                       const Recomputation& recompute) {
    const Flops all = flops_per_token(model, sequence, FlopConvention::full_square);
    const double logits = 6 * d(model.vocab) * d(model.hidden);
    switch (recompute.what) {
    case Recompute::none:
        break;
    case Recompute::selective:
        return Flops{4 * d(model.layers) * d(model.heads) * score_dim(model) *
                     attended_tokens(model, sequence)};
    case Recompute::operators:
        if (model.experts)
            return Flops{2 * d(model.layers) * latent_head_parameters(model)};
        return Flops{d(model.layers) *
                     (attention_parameters(model) + active_ffn_parameters(model))};
    case Recompute::full:
        return Flops{(all.count() - logits) / 3 / d(recompute.every)};
    }
    return Flops{0};
}

Flops narayanan_hardware_flops(const Transformer& model, std::int64_t sequence, double batch) {
    return narayanan_flops(model, sequence, batch, 4);
}

Flops narayanan_model_flops(const Transformer& model, std::int64_t sequence, double batch) {
    return narayanan_flops(model, sequence, batch, 3);
}

double flops_utilization(Flops step_flops, Seconds step, double gpus, FlopRate peak) {
    return step_flops.count() / (step.count() * gpus * peak.count());
}

}} // namespace bursar::models
