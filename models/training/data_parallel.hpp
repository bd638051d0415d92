#pragma once

#include "models/training/rank.hpp"

namespace bursar {

/// Weights of the layers and embeddings that one rank holds before sharding over replicas.
struct LocalParameters {
    double dense{};
    double experts{};
    double per_layer{}; ///< of one layer, experts included: what ZeRO-3 gathers at a time
    double layers{};    ///< on this rank

    [[nodiscard]] double all() const { return dense + experts; }
};

/// What adding up gradients and gathering sharded weights costs in one step.
struct DataParallelTime {
    Seconds total;   ///< on the links
    Seconds exposed; ///< not hidden behind compute, slowed compute included; <= total
};

/// Compute of one rank that its traffic may hide behind.
struct OverlapWindow {
    Seconds layer_forward;  ///< one layer, one micro-batch
    Seconds layer_backward; ///< recomputation included
    Seconds last_backward;  ///< the last micro-batch's pass over all layers of the rank
};

/// Bytes of one gradient number on the links: the recipe's gradient format.
double gradient_bytes(StateRecipe recipe);

/// Time of the traffic between replicas (models.md 4.8).
///
/// Without sharding and under ZeRO-1 and 2 the gradients travel once per step, after the last
/// micro-batch, in buckets; ZeRO-1 and 2 then gather the updated weights. ZeRO-3 gathers every
/// layer forward and backward and scatters its gradients, every micro-batch.
DataParallelTime
data_parallel_time(const Rank& rank, const LocalParameters& local, const OverlapWindow& window);

} // namespace bursar
