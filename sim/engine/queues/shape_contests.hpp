#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/queues/candidate.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// The groups of each shape as the leaves of a tree whose inner nodes hold the better of two: who
/// is first of a shape stands at its root. A change costs the way up, as far as it changes
/// anything.
class ShapeContests {
  public:
    /// A group with its rank; least first, ties by submit order.
    struct Entry {
        std::uint64_t rank{~std::uint64_t{0}};
        JobId job{Candidate::no_job()}; ///< the first of its pending jobs
        ShapeId shape{};
        friend BURSAR_HD bool operator<(const Entry& a, const Entry& b) {
            return a.rank != b.rank ? a.rank < b.rank : a.job < b.job;
        }
    };

    ShapeContests() = default;
    /// shape_begin: shape s has shape_begin[s + 1] - shape_begin[s] groups.
    BURSAR_HD
    ShapeContests(ArenaCarver& carver, std::uint32_t num_groups, const std::uint32_t* shape_begin)
        : num_groups_{num_groups}, shape_begin_{shape_begin},
          nodes_{carver.take<Entry>(2 * std::size_t{num_groups})} {}

    BURSAR_HD void clear() {
        for (std::uint32_t i = 0; i < 2 * num_groups_; ++i)
            nodes_[i] = {};
    }

    /// The best entry of a shape that has groups.
    [[nodiscard]] BURSAR_HD const Entry& first_of(ShapeId shape) const { return tree(shape)[1]; }
    [[nodiscard]] BURSAR_HD const Entry& entry(ShapeId shape, std::uint32_t index) const {
        return tree(shape)[size(shape) + index];
    }

    /// Group `index` of `shape` has another entry from now on.
    BURSAR_HD void set(ShapeId shape, std::uint32_t index, const Entry& entry) {
        Entry* nodes = tree(shape);
        std::uint32_t node = size(shape) + index;
        nodes[node] = entry;
        for (; node > 1; node /= 2) {
            const Entry& better = nodes[node ^ 1U] < nodes[node] ? nodes[node ^ 1U] : nodes[node];
            Entry& parent = nodes[node / 2];
            if (parent.rank == better.rank && parent.job == better.job)
                return;
            parent = better;
        }
    }

  private:
    [[nodiscard]] BURSAR_HD std::uint32_t size(ShapeId shape) const {
        return shape_begin_[shape + 1] - shape_begin_[shape];
    }
    /// Nodes 1 .. n - 1 are inner ones, the children of node i are 2i and 2i + 1, and leaf i is
    /// node n + i. With one leaf, that is the root.
    [[nodiscard]] BURSAR_HD Entry* tree(ShapeId shape) const {
        return nodes_ + 2 * std::size_t{shape_begin_[shape]};
    }

    std::uint32_t num_groups_{};
    const std::uint32_t* shape_begin_{};
    Entry* nodes_{};
};

} // namespace bursar::inline sim
