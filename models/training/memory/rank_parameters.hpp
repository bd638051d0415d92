#pragma once

#include <cstdint>

#include "models/training/job/layout.hpp"
#include "models/training/job/transformer.hpp"

namespace bursar { inline namespace models {

/// Parameters on one rank of a pipeline stage, before any sharding over data-parallel ranks. Only
/// matrices are counted (FORMULAS 2.1): biases, norms and learned positions are below 0.1 %.
struct RankParameters {
    double dense{};     ///< layers without routed experts
    double experts{};   ///< routed experts, shared over their own ranks
    double embedding{}; ///< embedding and output matrix

    [[nodiscard]] double total() const { return dense + experts + embedding; }
};

/// Layers of the fullest stage: L / p, rounded up.
[[nodiscard]] BURSAR_HD constexpr std::int64_t layers_per_stage(std::int64_t layers,
                                                                std::int64_t stages) {
    return (layers + stages - 1) / stages;
}

/// stage: 0..layout.pipeline - 1. The first stage holds the embedding, the last one the output
/// matrix (a copy of a tied embedding); every stage counts the layers of the fullest.
[[nodiscard]] RankParameters
rank_parameters(const Transformer& model, const Layout& layout, std::int64_t stage);

/// This rank's share of what it holds where `sharding` divides it: dense parameters over the shard
/// ranks, routed experts over those of them that hold the same experts.
[[nodiscard]] double sharded_parameters(const RankParameters& held, const Layout& layout);

/// The unit that sharded training gathers: the largest of a layer and the embedding, on one
/// tensor rank.
[[nodiscard]] double gathered_layer(const Transformer& model, const Layout& layout);
[[nodiscard]] double largest_gathered_unit(const Transformer& model, const Layout& layout);

}} // namespace bursar::models
