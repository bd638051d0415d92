#pragma once

#include "models/training/memory/states.hpp"
#include "models/training/step/rank.hpp"
#include "models/training/step/replica_traffic.hpp"

namespace bursar { inline namespace models {

/// The ranks with the same weights, and their links.
struct ReplicaLinks {
    const LocalityTree& tree;
    CollectiveTuning tuning;
    CommGroup all;     ///< ranks that add up gradients
    CommGroup shard;   ///< ranks that divide the states; size 1: not sharded
    CommGroup between; ///< equal shards of other groups (HSDP)
    double bucket{};   ///< bytes of gradients reduced at a time, > 0
    Hiding hiding;

    /// One reduction of `bytes` of gradients: all-reduce, or to shards and then between the groups.
    [[nodiscard]] Seconds reduce(double bytes) const;
    /// The first half of that: each shard rank gets the sum of its group.
    [[nodiscard]] Seconds scatter(double bytes) const;
    /// All ranks of the shard group get all `bytes` of weights.
    [[nodiscard]] Seconds gather(double bytes) const;
};

/// Links of the ranks that hold one rank's dense weights.
ReplicaLinks replica_links(const TrainingRank& rank);

/// Gradients of one step, reduced in buckets while the last backward pass runs (FORMULAS 4.8).
/// The first bucket is 1 MiB, as PyTorch's, so that traffic starts early. Without overlap all are
/// sent when the pass is over.
///
/// bytes: >= 0.
[[nodiscard]] BucketTraffic bucket_traffic(const ReplicaLinks& links, double bytes);

/// The traffic between ranks with the same weights (FORMULAS 4.8); `beside` is the compute it
/// overlaps.
///
/// Without sharding and under ZeRO-1 and 2 gradients travel once per step, after the last
/// micro-batch, in buckets; ZeRO-1 and 2 then gather the updated weights. ZeRO-3 gathers every
/// layer forward and backward and scatters its gradients, every micro-batch, and embedding and
/// output matrix once; HSDP adds up between the groups of shards after the last. Gradients of
/// routed experts go to the ranks with the same experts and are not hidden.
[[nodiscard]] ReplicaTraffic replica_traffic(const TrainingRank& rank, const RankParameters& held);

}} // namespace bursar::models
