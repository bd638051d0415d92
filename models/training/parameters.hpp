#pragma once

#include <cstdint>

#include "models/training/layout.hpp"
#include "models/training/transformer.hpp"

/// How many parameters a transformer has, and how many of them one rank holds. Only matrices are
/// counted (models.md 2.1): biases, norms and learned positions are below 0.1 %.
namespace bursar {

/// Query, key, value and output projections of one layer: h d (2 a + 2 g_kv).
[[nodiscard]] double attention_parameters(const Transformer& model);

/// The feed-forward block that every token goes through: dense, or shared expert and router.
[[nodiscard]] double dense_ffn_parameters(const Transformer& model);

/// All routed experts of one layer; 0 for a dense model.
[[nodiscard]] double expert_parameters(const Transformer& model);

/// One layer with all its experts.
[[nodiscard]] double layer_parameters(const Transformer& model);

/// The token embedding, and so the output matrix: V h.
[[nodiscard]] double embedding_parameters(const Transformer& model);

/// The whole model; a tied embedding counts once.
[[nodiscard]] double total_parameters(const Transformer& model);

/// Parameters on one rank of a pipeline stage, before any sharding over data-parallel ranks.
struct RankParameters {
    double dense{};     ///< layers without routed experts
    double experts{};   ///< routed experts, shared over their own ranks
    double embedding{}; ///< embedding and output matrix

    [[nodiscard]] double total() const { return dense + experts + embedding; }
};

/// Layers of the fullest stage: L / p, rounded up.
[[nodiscard]] constexpr std::int64_t layers_per_stage(std::int64_t layers, std::int64_t stages) {
    return (layers + stages - 1) / stages;
}

/// stage: 0..layout.pipeline - 1. The first stage holds the embedding, the last one the output
/// matrix (a copy of a tied embedding); every stage counts the layers of the fullest.
[[nodiscard]] RankParameters
rank_parameters(const Transformer& model, const Layout& layout, std::int64_t stage);

/// The unit that sharded training gathers: the largest of a layer and the embedding, on one
/// tensor rank.
[[nodiscard]] double gathered_layer(const Transformer& model, const Layout& layout);
[[nodiscard]] double largest_gathered_unit(const Transformer& model, const Layout& layout);

} // namespace bursar
