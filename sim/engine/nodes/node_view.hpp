#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"
#include "models/units/units.hpp"

#include "sim/plan/ids.hpp"
#include "sim/plan/plan.hpp"

namespace bursar { inline namespace sim {

/// What a part of a gang requests on one node.
struct PieceDemand {
    std::uint32_t gpus{};      ///< 0: CPU or memory alone
    std::uint32_t gpu_slots{}; ///< of each; less than slots_per_gpu only where gpus is 1
    std::uint32_t cpu_milli{};
    std::uint32_t memory_mib{};

    [[nodiscard]] BURSAR_HD std::int64_t slots() const { return std::int64_t{gpus} * gpu_slots; }
    [[nodiscard]] BURSAR_HD bool shares_gpu() const {
        return gpus != 0 && gpu_slots < slots_per_gpu;
    }
    /// The kind of a piece: 0 for a part of a GPU, otherwise the number of GPUs.
    [[nodiscard]] BURSAR_HD std::uint32_t kind() const { return shares_gpu() ? 0 : gpus; }
};

/// Kinds of pieces on a node, one bit each; kinds from the last bit on share it.
class PieceKinds {
  public:
    static constexpr std::uint32_t max = 63;

    [[nodiscard]] BURSAR_HD static constexpr std::uint32_t bit_of(std::uint32_t kind) {
        return kind < max ? kind : max;
    }
    BURSAR_HD void insert(std::uint32_t bit) { bits_ |= std::uint64_t{1} << bit; }
    BURSAR_HD void erase(std::uint32_t bit) { bits_ &= ~(std::uint64_t{1} << bit); }

    [[nodiscard]] BURSAR_HD bool empty() const { return bits_ == 0; }
    [[nodiscard]] BURSAR_HD bool contains(std::uint32_t kind) const {
        return (bits_ >> bit_of(kind) & 1U) != 0;
    }
    [[nodiscard]] BURSAR_HD bool has_one() const {
        return bits_ != 0 && (bits_ & (bits_ - 1)) == 0;
    }
    [[nodiscard]] BURSAR_HD std::uint64_t bits() const { return bits_; }
    friend BURSAR_HD bool operator==(PieceKinds a, PieceKinds b) { return a.bits_ == b.bits_; }

  private:
    std::uint64_t bits_{};
};

/// A node as placements see it: its size and free amounts. GPUs of a node differ only in their free
/// slots. Resources that the pool does not limit (PlanPool) are 0.
struct NodeView {
    const PlanPool* pool{};
    PoolId pool_index{};
    std::uint32_t free_gpus{};  ///< unused GPUs
    std::uint32_t free_slots{}; ///< of all its GPUs
    std::uint32_t cpu_milli{};  ///< free
    std::uint32_t memory_mib{}; ///< free
    std::uint32_t num_shared{};
    const std::uint16_t* shared_slots{}; ///< free slots of the GPUs that are partly used and partly
                                         ///< free, ascending
    PieceKinds kinds{};                  ///< of the pieces on it, if the placement reads them
    std::uint32_t is_offline{}; ///< 1: offline, so that even a piece without GPUs does not fit; 0

    [[nodiscard]] BURSAR_HD bool fits(const PieceDemand& piece) const {
        if (pool->cpu_milli != 0 && piece.cpu_milli > cpu_milli)
            return false;
        if (pool->memory_mib != 0 && piece.memory_mib > memory_mib)
            return false;
        if (!piece.shares_gpu())
            return piece.gpus + is_offline <= free_gpus; // an offline node has none free
        return free_gpus > 0 || (num_shared > 0 && shared_slots[num_shared - 1] >= piece.gpu_slots);
    }
};

/// A gang on one pool: `num_whole` nodes' worth of GPUs and, unless those are all of it, one
/// smaller piece; a gang of one node is that piece alone. The fewest nodes that can hold it.
struct GangPieces {
    std::uint32_t num_whole{};
    bool has_rest{};
    PieceDemand whole;
    PieceDemand rest;

    [[nodiscard]] BURSAR_HD bool is_single() const { return num_whole == 0; }
    [[nodiscard]] BURSAR_HD std::uint32_t count() const { return num_whole + (has_rest ? 1 : 0); }
    /// The piece that is harder to place.
    [[nodiscard]] BURSAR_HD const PieceDemand& largest() const {
        return is_single() ? rest : whole;
    }
};

/// A gang's CPU and memory are divided by GPUs, rounded up.
BURSAR_HD inline PieceDemand piece_of(const JobShape& shape, std::uint32_t gpus) {
    if (gpus == shape.gpus)
        return {gpus, shape.gpu_slots, shape.cpu_milli, shape.memory_mib};
    const auto part = [&](std::uint32_t all) {
        return static_cast<std::uint32_t>((std::uint64_t{all} * gpus + shape.gpus - 1) /
                                          shape.gpus);
    };
    return {gpus, shape.gpu_slots, part(shape.cpu_milli), part(shape.memory_mib)};
}

BURSAR_HD inline GangPieces pieces_of(const JobShape& shape, std::uint32_t gpus_per_node) {
    GangPieces gang;
    if (shape.gpus <= gpus_per_node) {
        gang.has_rest = true;
        gang.rest = piece_of(shape, shape.gpus);
        return gang;
    }
    gang.num_whole = shape.gpus / gpus_per_node;
    gang.whole = piece_of(shape, gpus_per_node);
    const std::uint32_t rest = shape.gpus % gpus_per_node;
    gang.has_rest = rest > 0;
    if (gang.has_rest)
        gang.rest = piece_of(shape, rest);
    return gang;
}

/// What placements may read in addition to the node: the largest amount of each resource on any
/// node, to compare different units, and the jobs of the plan.
struct FleetView {
    std::int64_t max_slots{1};
    std::int64_t max_cpu_milli{1};
    std::int64_t max_memory_mib{1};
    const JobShape* shapes{};
    const std::uint32_t* jobs_of_shape{}; ///< how many jobs of the plan have each shape
    std::uint32_t num_shapes{};
};

}} // namespace bursar::sim
