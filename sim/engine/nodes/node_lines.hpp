#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/engine/nodes/node_detail.hpp"
#include "sim/engine/nodes/node_view.hpp"

namespace bursar { inline namespace sim {

/// What a node can be short of, each thing on a line of its own: its GPUs by number or, where parts
/// of them are given out, every GPU by its slots; then CPU and memory, where the pool can lack
/// them. For forecasts of what nodes will have free.
struct NodeLines {
    std::uint32_t num_gpu_lines{1};
    bool shares_gpus{}; ///< a line per GPU
    bool has_cpu{};
    bool has_memory{};

    [[nodiscard]] BURSAR_HD std::uint32_t num() const {
        return num_gpu_lines + (has_cpu ? 1 : 0) + (has_memory ? 1 : 0);
    }
    [[nodiscard]] BURSAR_HD std::uint32_t cpu() const { return num_gpu_lines; }
    [[nodiscard]] BURSAR_HD std::uint32_t memory() const { return cpu() + (has_cpu ? 1 : 0); }

    /// Calls `act(line, amount)` for what a piece takes beside its GPUs.
    template <class Act>
    BURSAR_HD void for_rest(const PieceDemand& piece, const Act& act) const {
        if (has_cpu)
            act(cpu(), std::int64_t{piece.cpu_milli});
        if (has_memory)
            act(memory(), std::int64_t{piece.memory_mib});
    }
};

BURSAR_HD inline NodeLines lines_of(const PlanPool& pool, const NodeDetail& detail) {
    return {detail.shares_gpus ? pool.gpus_per_node : 1,
            detail.shares_gpus,
            pool.cpu_milli != 0,
            pool.memory_mib != 0};
}

/// A piece of a gang that is to be on one node and no other. gpu: of a part of one, the GPU it is
/// to come from; any_gpu: an unused one.
struct PlannedPiece {
    static constexpr std::uint32_t any_gpu = 0xffffffffU;

    std::uint32_t node{};
    std::uint32_t gpus{};
    std::uint32_t gpu{any_gpu};
};

}} // namespace bursar::sim
