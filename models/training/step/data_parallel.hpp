#pragma once

#include "models/training/memory/rank_parameters.hpp"
#include "models/training/step/rank.hpp"
#include "models/training/step/replica_links.hpp"

namespace bursar { inline namespace models {

/// The traffic between ranks that hold the same weights (FORMULAS 4.8); `beside` is its time.
///
/// Without sharding and under ZeRO-1 and 2 gradients travel once per step, after the last
/// micro-batch, in buckets; ZeRO-1 and 2 then gather the updated weights. ZeRO-3 gathers every
/// layer forward and backward and scatters its gradients, every micro-batch, and embedding and
/// output matrix once; HSDP adds up between the groups of shards after the last. Gradients of
/// routed experts go to the ranks with the same experts and are not hidden.
[[nodiscard]] ReplicaTraffic replica_traffic(const TrainingRank& rank, const RankParameters& held);

}} // namespace bursar::models
