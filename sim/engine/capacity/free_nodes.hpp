#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/arena/bit_tree.hpp"

namespace bursar { inline namespace sim {

/// The nodes of one pool by their number of free GPUs: one bit tree per number, 0 to gpus_per_node.
/// The view placement policies read. Finding a node costs a word per tree level; node order decides
/// between equals.
class FreeNodes {
  public:
    static constexpr std::uint32_t none = BitTree::none;

    FreeNodes() = default;
    BURSAR_HD FreeNodes(ArenaCarver& carver, std::uint32_t num_nodes, std::uint32_t gpus_per_node)
        : num_nodes_{num_nodes}, gpus_per_node_{gpus_per_node},
          free_of_{carver.take<std::uint32_t>(num_nodes)},
          count_{carver.take<std::uint32_t>(gpus_per_node + 1)},
          with_free_{carver.take<BitTree>(gpus_per_node + 1)} {
        for (std::uint32_t free = 0; free <= gpus_per_node; ++free) {
            const BitTree tree{carver, num_nodes};
            if (with_free_ != nullptr)
                with_free_[free] = tree;
        }
    }

    BURSAR_HD void clear() {
        for (std::uint32_t free = 0; free <= gpus_per_node_; ++free) {
            with_free_[free].clear();
            count_[free] = 0;
        }
        for (std::uint32_t node = 0; node < num_nodes_; ++node) {
            free_of_[node] = gpus_per_node_;
            with_free_[gpus_per_node_].insert(node);
        }
        count_[gpus_per_node_] = num_nodes_;
    }

    [[nodiscard]] BURSAR_HD std::uint32_t gpus_per_node() const { return gpus_per_node_; }

    /// How many nodes have exactly `free` free GPUs.
    [[nodiscard]] BURSAR_HD std::uint32_t num_with_free(std::uint32_t free) const {
        return count_[free];
    }
    /// The lowest-numbered node with exactly `free` free GPUs, or none.
    [[nodiscard]] BURSAR_HD std::uint32_t lowest_with_free(std::uint32_t free) const {
        return count_[free] == 0 ? none : with_free_[free].first_at_or_after(0);
    }

    /// Whether some node has `least` to `most` free GPUs.
    [[nodiscard]] BURSAR_HD bool has_from(std::uint32_t least, std::uint32_t most) const {
        for (std::uint32_t free = least; free <= most; ++free) {
            if (count_[free] > 0)
                return true;
        }
        return false;
    }

    BURSAR_HD void set_free(std::uint32_t node, std::uint32_t free) {
        assert(node < num_nodes_ && free <= gpus_per_node_);
        const std::uint32_t before = free_of_[node];
        with_free_[before].erase(node);
        with_free_[free].insert(node);
        --count_[before];
        ++count_[free];
        free_of_[node] = free;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t free_of(std::uint32_t node) const {
        return free_of_[node];
    }

  private:
    std::uint32_t num_nodes_{};
    std::uint32_t gpus_per_node_{};
    std::uint32_t* free_of_{};
    std::uint32_t* count_{};
    BitTree* with_free_{};
};

}} // namespace bursar::sim
