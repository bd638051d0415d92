#pragma once

#include "models/training/step/rank.hpp"

namespace bursar::inline models {

/// What adding up gradients and gathering sharded weights costs in one step.
struct DataParallelTime {
    Seconds total;   ///< on the links
    Seconds exposed; ///< not hidden behind compute, slowed compute included; <= total

    friend DataParallelTime operator+(DataParallelTime a, DataParallelTime b) {
        return {a.total + b.total, a.exposed + b.exposed};
    }
};

/// The ranks that hold the same weights, and what joins them.
struct ReplicaLinks {
    const LocalityTree& tree;
    CollectiveTuning tuning;
    CommGroup all;     ///< everyone who adds up gradients
    CommGroup shard;   ///< who divides the states; size 1: nobody
    CommGroup between; ///< equal shards of other groups (HSDP)
    double bucket{};   ///< bytes of gradients reduced at a time, > 0
    double overlap{};  ///< share of the backward pass that traffic may hide in, 0..1
    double slowdown{}; ///< share of compute lost while traffic hides behind it, 0..1

    /// One reduction of `bytes` of gradients: to all, or to shards and then between the groups.
    [[nodiscard]] Seconds reduce(double bytes) const;
    /// The first half of that: each shard rank has the sum of its group.
    [[nodiscard]] Seconds scatter(double bytes) const;
    /// Everyone of the shard group gets all `bytes` of weights.
    [[nodiscard]] Seconds gather(double bytes) const;
    /// Traffic of which `shown` is not hidden, with what hiding the rest costs the compute.
    [[nodiscard]] DataParallelTime hide(Seconds total, Seconds shown) const;
};

/// Links of the ranks that hold one rank's dense weights.
ReplicaLinks replica_links(const TrainingRank& rank);

/// Gradients of one step, reduced in buckets while the last backward pass runs (FORMULAS 4.8).
/// The first bucket is 1 MiB, as PyTorch's, so that traffic starts early. Without overlap all leave
/// at once when it is over.
///
/// bytes: >= 0. backward: the last micro-batch's pass over everything that has gradients.
DataParallelTime reduce_in_buckets(const ReplicaLinks& links, double bytes, Seconds backward);

} // namespace bursar::inline models
