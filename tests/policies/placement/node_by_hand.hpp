#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/engine/nodes/gpu_choice.hpp"

namespace bursar::test {

/// A node view written by hand: free slots of each of its GPUs, free CPU and memory.
class NodeByHand {
  public:
    NodeByHand(PlanPool pool,
               const std::vector<std::uint16_t>& gpus,
               std::uint32_t cpu_milli = 0,
               std::uint32_t memory_mib = 0)
        : pool_{pool} {
        pool_.gpus_per_node = static_cast<std::uint32_t>(gpus.size());
        for (const std::uint16_t free : gpus) {
            view_.free_slots += free;
            view_.free_gpus += free == slots_per_gpu ? 1 : 0;
            if (free > 0 && free < slots_per_gpu)
                shared_.push_back(free);
        }
        std::ranges::sort(shared_);
        view_.cpu_milli = cpu_milli;
        view_.memory_mib = memory_mib;
    }

    [[nodiscard]] NodeView view() const {
        NodeView view = view_;
        view.pool = &pool_;
        view.num_shared = static_cast<std::uint32_t>(shared_.size());
        view.shared_slots = shared_.data();
        return view;
    }

  private:
    PlanPool pool_;
    NodeView view_;
    std::vector<std::uint16_t> shared_;
};

/// A node of a pool, with its CPU and memory.
inline PlanPool pool_with(std::uint32_t cpu_milli, std::uint32_t memory_mib = 0) {
    PlanPool pool;
    pool.cpu_milli = cpu_milli;
    pool.memory_mib = memory_mib;
    return pool;
}

/// The number of the node that a placement chooses, ties to the first; the number of nodes where
/// none has room.
template <class Placement>
std::size_t choose(const Placement& placement,
                   const FleetView& fleet,
                   const std::vector<NodeByHand>& nodes,
                   const PieceDemand& piece) {
    std::size_t best = nodes.size();
    std::int64_t least = NodeScore::never;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        const std::int64_t score = score_node(placement, fleet, nodes[node].view(), piece).score;
        if (score < least) {
            least = score;
            best = node;
        }
    }
    return best;
}

} // namespace bursar::test
