#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// Gradient buckets of one size, ready one after the other while the backward pass runs.
struct BucketRun {
    double count{};      ///< buckets, >= 1
    Seconds first_ready; ///< since the backward pass began
    Seconds spacing;     ///< between two of them, >= 0
    Seconds each;        ///< one bucket's collective, >= 0
};

/// When the last bucket's collective ends; buckets are sent in order on one channel.
///
/// start_i = max(ready_i, end_{i-1}), end_i = start_i + each (FORMULAS 4.8). Inside a run the end
/// is max over i of ready_i + (count - i) each, linear in i, so the first or the last bucket
/// decides: a run costs the same for three buckets and for thousands.
BURSAR_HD constexpr Seconds finish_buckets(std::span<const BucketRun> runs) {
    Seconds end{};
    for (const BucketRun& run : runs) {
        const Seconds all = run.each * run.count;
        const Seconds last_ready = run.first_ready + run.spacing * (run.count - 1);
        end = std::max({end + all, run.first_ready + all, last_ready + run.each});
    }
    return end;
}

/// Time of reducing gradients and gathering sharded weights in one step.
struct DataParallelTime {
    Seconds total;   ///< on the links
    Seconds exposed; ///< not hidden behind compute, slowed compute included; <= total

    friend BURSAR_HD DataParallelTime operator+(DataParallelTime a, DataParallelTime b) {
        return {a.total + b.total, a.exposed + b.exposed};
    }
};

/// Compute of one rank that its traffic may overlap.
struct OverlapWindow {
    Seconds layer_forward;  ///< one layer, one micro-batch
    Seconds layer_backward; ///< recomputation included
    double layers{};        ///< on this rank
    double recomputed{};    ///< share of them that is recomputed in full, 0..1
};

/// How well traffic between replicas overlaps compute.
struct Hiding {
    double overlap{};  ///< share of the backward pass that traffic may overlap, 0..1
    double slowdown{}; ///< share of compute lost while traffic overlaps it, 0..1

    /// Traffic with its exposed part: `shown`, and the slowdown of compute by the hidden part.
    [[nodiscard]] BURSAR_HD DataParallelTime hide(Seconds total, Seconds shown) const {
        const Seconds exposed = std::clamp(shown, Seconds{}, total);
        return {total, exposed + (total - exposed) * slowdown};
    }
};

/// Gradients of one step, in buckets that are reduced while the last backward pass runs.
struct BucketTraffic {
    double bytes{};       ///< of all gradients
    double first_bytes{}; ///< of the first bucket
    double each_bytes{};  ///< of the others
    double count{}; ///< of the others; 0: all gradients in one, when the backward pass is over
    Seconds first;  ///< the first bucket's reduction
    Seconds each;   ///< one of the others', or that of all gradients

    /// backward: the last micro-batch's pass over everything that has gradients.
    [[nodiscard]] BURSAR_HD DataParallelTime beside(Seconds backward, const Hiding& hiding) const {
        if (!(count > 0))
            return {each, each};
        const Seconds begin = backward * (1 - hiding.overlap);
        const Seconds per_byte = backward * (hiding.overlap / bytes);
        const std::array runs{
            BucketRun{1, begin + per_byte * first_bytes, {}, first},
            BucketRun{
                count, begin + per_byte * (first_bytes + each_bytes), per_byte * each_bytes, each}};
        return hiding.hide(first + each * count, finish_buckets(runs) - backward);
    }
};

/// Traffic of one unit that is sharded: a layer, or embedding and output matrix.
struct UnitTraffic {
    Seconds gather;
    Seconds reduce;
};

/// One micro-batch of sharded training: a layer's gather overlaps the layer before it; the excess
/// is exposed, and so are the first gather and the last reduction. The ends are gathered once,
/// before all layers, and reduced after them.
struct ShardTraffic {
    UnitTraffic layer;
    UnitTraffic ends;
    bool is_freed{}; ///< weights are freed after each use, so that recomputation gathers them, too

    [[nodiscard]] BURSAR_HD DataParallelTime beside(const OverlapWindow& window,
                                                    const Hiding& hiding) const {
        const Seconds again = layer.gather * (is_freed ? window.recomputed : 0);
        const Seconds back = again + layer.reduce;
        const Seconds shown = (longer(layer.gather, window.layer_forward, hiding) +
                               longer(layer.gather + back, window.layer_backward, hiding)) *
                                  window.layers +
                              layer.gather + back + ends.gather + ends.reduce;
        const Seconds total =
            (2.0 * layer.gather + back) * window.layers + ends.gather + ends.reduce;
        return hiding.hide(total, shown);
    }

  private:
    [[nodiscard]] static BURSAR_HD Seconds longer(Seconds traffic,
                                                  Seconds compute,
                                                  const Hiding& hiding) {
        return std::max(Seconds{}, traffic - compute * hiding.overlap);
    }
};

/// Traffic between the ranks that hold the same weights, independent of their compute. All zero for
/// a single rank.
struct ReplicaTraffic {
    Hiding hiding;
    bool sharded{};            ///< ZeRO-3: `scattered` and `reduced` apply, otherwise the others
    BucketTraffic buckets;     ///< of gradients
    DataParallelTime apart;    ///< experts, and encoding of gradients
    DataParallelTime gathered; ///< weights after the update
    ShardTraffic scattered;    ///< of a micro-batch before the last
    ShardTraffic reduced;      ///< of the last, which also adds up between groups of shards

    [[nodiscard]] BURSAR_HD DataParallelTime beside(const OverlapWindow& window,
                                                    std::int64_t micro_batches) const {
        if (!sharded)
            return buckets.beside(window.layer_backward * window.layers, hiding) + apart + gathered;
        const auto earlier = static_cast<double>(micro_batches - 1);
        const DataParallelTime pass = scattered.beside(window, hiding);
        return reduced.beside(window, hiding) +
               DataParallelTime{pass.total * earlier, pass.exposed * earlier};
    }
};

}} // namespace bursar::models
