#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/engine/nodes/node_detail.hpp"
#include "sim/engine/nodes/node_view.hpp"

namespace bursar { inline namespace sim {

/// The resources of a node, one per "line": the number of its GPUs or, if GPUs are shared, the
/// slots of each GPU; then CPU and memory, if the pool limits them. For forecasts of free capacity
/// by node.
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

    /// Calls `act(line, amount)` for the resources of a piece other than GPUs.
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

/// A piece of a gang with a fixed node. gpu: the GPU that it shares; any_gpu: an unused one.
struct PlannedPiece {
    static constexpr std::uint32_t any_gpu = 0xffffffffU;

    std::uint32_t node{};
    std::uint32_t gpus{};
    std::uint32_t gpu{any_gpu};
};

}} // namespace bursar::sim
