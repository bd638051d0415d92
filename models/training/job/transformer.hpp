#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace bursar { inline namespace models {

/// The experts of a mixture-of-experts model; every layer has them but the first `dense_layers`.
struct Experts {
    std::int64_t count{};        ///< routed experts, >= 2
    std::int64_t per_token{};    ///< experts a token goes through (top-k), 1..count
    std::int64_t ffn{};          ///< inner size of one expert, > 0
    std::int64_t shared_ffn{};   ///< inner size of the expert that every token uses; 0: none
    std::int64_t dense_layers{}; ///< first layers with the dense block instead, < layers
};

/// Latent attention: keys and values are computed from one short vector per token (DeepSeek-V2,
/// 2024).
struct LatentAttention {
    std::int64_t query_rank{}; ///< size of the vector from which queries are computed, > 0
    std::int64_t key_rank{};   ///< size of the one for keys and values, > 0
    std::int64_t rotary_dim{}; ///< part of a head's key that all heads share; < head_dim
    std::int64_t value_dim{};  ///< size of a head's value, > 0
};

/// Layers with sliding-window attention.
struct Windows {
    std::int64_t layers{}; ///< with a window, 0..layers of the model
    std::int64_t tokens{}; ///< in the window, > 0 if there are such layers
};

/// A decoder or encoder stack, as its configuration file describes it (FORMULAS 2.1, 2.2).
struct Transformer {
    std::string name;
    std::int64_t layers{};        ///< > 0
    std::int64_t hidden{};        ///< > 0
    std::int64_t ffn{};           ///< inner size of the dense feed-forward block, > 0
    std::int64_t heads{};         ///< > 0
    std::int64_t kv_heads{};      ///< 1..heads; fewer than heads: grouped queries
    std::int64_t head_dim{};      ///< > 0; usually hidden / heads
    std::int64_t vocab{};         ///< > 0
    std::int64_t sequence{};      ///< tokens per sample the model is trained on by default, > 0
    std::int64_t ffn_matrices{2}; ///< 2: GELU, 3: gated (SwiGLU)
    bool causal{true};            ///< attends backward only
    bool tied_embedding{true};    ///< logits use the embedding's weights
    bool qk_norm{};               ///< normalises each head's queries and keys
    bool dropout{true};           ///< keeps dropout masks (Korthikanti's activation formulas)
    std::optional<Experts> experts;
    std::optional<LatentAttention> latent{};
    Windows windows{};
    /// Activation bytes per layer over 2 b s h, measured with eager kernels and used for them
    /// (FORMULAS 3.2); absent: counted.
    std::optional<double> activation_copies;
};

/// KV heads that `tensor` ranks hold together: those of the model where the ranks divide them, else
/// copies, one for each rank or, with fewer ranks than KV heads, one for each query head. Memory
/// and time of the layers count the copies; parameters, FLOP and checkpoints do not (FORMULAS 2.1).
/// tensor: divides the heads.
[[nodiscard]] constexpr std::int64_t held_kv_heads(const Transformer& model, std::int64_t tensor) {
    if (model.kv_heads % tensor == 0)
        return model.kv_heads;
    return tensor > model.kv_heads ? tensor : model.heads;
}

}} // namespace bursar::models
