#pragma once

#include <cassert>
#include <cstdint>
#include <type_traits>

#include "sim/arena/step_nodes.hpp"

namespace bursar::inline sim {

/// A function of a 64-bit key that changes in steps: its value at k is the sum of the steps at or
/// before k. A B+ tree that keeps partial sums: a step is added, and the first key at which the
/// value rises to (or falls below) a level is found, in O(log steps).
///
/// Used as a release calendar (each step the GPUs that come free) and as a profile of what
/// reservations leave. Its nodes come from a StepNodes that profiles share.
class StepProfile {
  public:
    static constexpr std::uint64_t no_key = ~std::uint64_t{0};

    struct Step {
        std::uint64_t key{no_key};
        std::int64_t step{};
        std::int64_t value{}; ///< of the function from this key on
    };

    [[nodiscard]] BURSAR_HD bool empty() const { return root_size_ == 0; }

    /// Adds a step, to the one at the same key if there is one; a step of nothing is none.
    BURSAR_HD void add(StepNodes& nodes, std::uint64_t key, std::int64_t step) {
        if (empty()) {
            root_ = nodes.leaves.take();
            height_ = 0;
        }
        split_root_if_full(nodes);
        std::uint32_t branch[max_height];
        std::uint32_t place[max_height];
        std::uint32_t node = root_;
        for (unsigned level = height_; level > 0; --level) {
            branch[level - 1] = node;
            place[level - 1] = way_down(nodes, node, level, key);
            node = nodes.branches[node].child[place[level - 1]];
        }
        add_to_leaf(nodes.leaves[node], key, step);
        for (unsigned level = 1; level <= height_; ++level)
            settle_child(nodes, branch[level - 1], level, place[level - 1]);
        shrink_root(nodes);
    }

    /// The first step at or after `from` after which the value is at least `level`.
    [[nodiscard]] BURSAR_HD Step first_at_least(const StepNodes& nodes,
                                                std::uint64_t from,
                                                std::int64_t level) const {
        return first_where(
            nodes, from, [&](std::int64_t, std::int64_t high) { return high >= level; });
    }
    [[nodiscard]] BURSAR_HD Step first_at_or_after(const StepNodes& nodes,
                                                   std::uint64_t from) const {
        return first_where(nodes, from, [](std::int64_t, std::int64_t) { return true; });
    }
    /// The value at `key`, a step there included.
    [[nodiscard]] BURSAR_HD std::int64_t value_at(const StepNodes& nodes, std::uint64_t key) const {
        std::int64_t value = 0;
        if (empty())
            return value;
        std::uint32_t node = root_;
        for (unsigned level = height_; level > 0; --level) {
            const StepBranch& branch = nodes.branches[node];
            const std::uint32_t at = branch.child_around(key);
            for (std::uint32_t i = 0; i < at; ++i)
                value += branch.sums_of[i].all;
            node = branch.child[at];
        }
        const StepLeaf& leaf = nodes.leaves[node];
        for (std::uint32_t i = 0; i < leaf.size && leaf.key[i] <= key; ++i)
            value += leaf.step[i];
        return value;
    }
    /// The least value at any step, and 0 where none is less.
    [[nodiscard]] BURSAR_HD std::int64_t least_value(const StepNodes& nodes) const {
        if (empty())
            return 0;
        const std::int64_t low =
            height_ == 0 ? nodes.leaves[root_].sums().low : nodes.branches[root_].sums().low;
        return low < 0 ? low : 0;
    }

    /// Visits the steps at or after `from` in order until `visit(step)` says that it is done.
    /// `begin(value)` comes first: the value before `from`. A stretch of steps after which the
    /// value is low at least and high at most is passed over where `skips(low, high)`; that may be
    /// so only if it is for every part of the stretch.
    template <class Visitor>
    BURSAR_HD void walk(const StepNodes& nodes, std::uint64_t from, Visitor& visitor) const {
        std::int64_t value = 0; // before the node looked at
        std::uint32_t branch[max_height];
        std::uint32_t place[max_height];
        std::uint32_t node = root_;
        for (unsigned level = empty() ? 0 : height_; level > 0; --level) {
            const StepBranch& here = nodes.branches[node];
            const std::uint32_t at = here.child_around(from);
            for (std::uint32_t i = 0; i < at; ++i)
                value += here.sums_of[i].all;
            branch[level - 1] = node;
            place[level - 1] = at;
            node = here.child[at];
        }
        std::uint32_t first = 0;
        if (!empty()) {
            const StepLeaf& leaf = nodes.leaves[node];
            for (; first < leaf.size && leaf.key[first] < from; ++first)
                value += leaf.step[first];
        }
        visitor.begin(value);
        if (empty() || visit_leaf(nodes.leaves[node], first, value, visitor))
            return;
        for (unsigned level = 1; level <= height_;) {
            const StepBranch& here = nodes.branches[branch[level - 1]];
            const std::uint32_t at = ++place[level - 1];
            if (at == here.size) {
                ++level;
            } else if (visitor.skips(value + here.sums_of[at].low, value + here.sums_of[at].high)) {
                value += here.sums_of[at].all;
            } else if (--level; level == 0) {
                if (visit_leaf(nodes.leaves[here.child[at]], 0, value, visitor))
                    return;
                level = 1;
            } else {
                branch[level - 1] = here.child[at];
                place[level - 1] = ~std::uint32_t{0}; // its first child is next
            }
        }
    }

  private:
    static constexpr unsigned max_height = 16; ///< branches have 4 children and more on average

    BURSAR_HD static void add_to_leaf(StepLeaf& leaf, std::uint64_t key, std::int64_t step) {
        const std::uint32_t at = leaf.first_at_or_after(key);
        if (at < leaf.size && leaf.key[at] == key) {
            leaf.step[at] += step;
            if (leaf.step[at] != 0)
                return;
            --leaf.size;
            for (std::uint32_t i = at; i < leaf.size; ++i) {
                leaf.key[i] = leaf.key[i + 1];
                leaf.step[i] = leaf.step[i + 1];
            }
        } else if (step != 0) {
            for (std::uint32_t i = leaf.size++; i > at; --i) {
                leaf.key[i] = leaf.key[i - 1];
                leaf.step[i] = leaf.step[i - 1];
            }
            leaf.key[at] = key;
            leaf.step[at] = step;
        }
    }

    [[nodiscard]] BURSAR_HD bool root_is_full() const {
        return root_size_ == (height_ == 0 ? StepLeaf::capacity : StepBranch::capacity);
    }
    BURSAR_HD void split_root_if_full(StepNodes& nodes) {
        if (!root_is_full())
            return;
        const std::uint32_t above = nodes.branches.take();
        nodes.branches[above].insert(0, root_, 0);
        assert(height_ < max_height);
        split(nodes, above, ++height_, 0);
        root_ = above;
        root_size_ = 2;
    }
    /// Which child of a branch leads to `key`, made roomy enough for one more entry.
    [[nodiscard]] BURSAR_HD std::uint32_t
    way_down(StepNodes& nodes, std::uint32_t node, unsigned level, std::uint64_t key) {
        StepBranch& branch = nodes.branches[node];
        const std::uint32_t at = branch.child_around(key);
        if (branch.sums_of[at].size < (level == 1 ? StepLeaf::capacity : StepBranch::capacity))
            return at;
        split(nodes, node, level, at);
        return at + (branch.key[at + 1] <= key ? 1U : 0U);
    }
    /// Splits the child of a branch at height `level` that stands at `at` into two halves.
    BURSAR_HD static void
    split(StepNodes& nodes, std::uint32_t node, unsigned level, std::uint32_t at) {
        const auto halve = [&](auto& store) {
            const std::uint32_t upper = store.take();
            auto& full = store[nodes.branches[node].child[at]];
            full.move_to(store[upper], full.size / 2);
            nodes.branches[node].insert(at + 1, upper, store[upper].key[0]);
            nodes.branches[node].sums_of[at] = full.sums();
            nodes.branches[node].sums_of[at + 1] = store[upper].sums();
        };
        if (level == 1)
            halve(nodes.leaves);
        else
            halve(nodes.branches);
    }
    /// Brings a branch up to date with its changed child, which goes if it has become empty and
    /// joins a neighbour with which it fills no more than one node.
    BURSAR_HD static void
    settle_child(StepNodes& nodes, std::uint32_t node, unsigned level, std::uint32_t at) {
        if (level == 1)
            settle_child_of(nodes, nodes.leaves, node, at);
        else
            settle_child_of(nodes, nodes.branches, node, at);
    }
    template <class Store>
    BURSAR_HD static void
    settle_child_of(StepNodes& nodes, Store& store, std::uint32_t node, std::uint32_t at) {
        StepBranch& branch = nodes.branches[node];
        auto& changed = store[branch.child[at]];
        const std::uint32_t before = branch.sums_of[at].size;
        const std::uint32_t size = changed.size;
        if (size == 0) {
            store.give_back(branch.child[at]);
            branch.erase(at);
            return;
        }
        if (size < before) {
            // Short of full, so that the next step does not split it again.
            constexpr std::uint32_t max_size =
                std::remove_reference_t<decltype(changed)>::capacity * 7 / 8;
            if (at > 0 && size + branch.sums_of[at - 1].size <= max_size)
                return join(branch, store, at - 1);
            if (at + 1 < branch.size && size + branch.sums_of[at + 1].size <= max_size)
                return join(branch, store, at);
        }
        branch.sums_of[at] = changed.sums();
    }
    /// Joins the children at `at` and behind it.
    template <class Store>
    BURSAR_HD static void join(StepBranch& branch, Store& store, std::uint32_t at) {
        auto& left = store[branch.child[at]];
        const std::uint32_t right = branch.child[at + 1];
        if constexpr (std::is_same_v<decltype(left), StepBranch&>)
            store[right].key[0] = branch.key[at + 1]; // its first key was never read there
        store[right].move_to(left, 0);
        store.give_back(right);
        branch.erase(at + 1);
        branch.sums_of[at] = left.sums();
    }
    BURSAR_HD void shrink_root(StepNodes& nodes) {
        while (height_ > 0 && nodes.branches[root_].size <= 1) {
            const std::uint32_t old = root_;
            const bool has_child = nodes.branches[old].size == 1;
            root_ = nodes.branches[old].child[0];
            nodes.branches.give_back(old);
            --height_;
            if (!has_child) {
                root_size_ = 0;
                return;
            }
        }
        root_size_ = height_ == 0 ? nodes.leaves[root_].size : nodes.branches[root_].size;
        if (root_size_ == 0)
            nodes.leaves.give_back(root_);
    }

    template <class Visitor>
    [[nodiscard]] BURSAR_HD static bool
    visit_leaf(const StepLeaf& leaf, std::uint32_t first, std::int64_t& value, Visitor& visitor) {
        for (std::uint32_t i = first; i < leaf.size; ++i) {
            value += leaf.step[i];
            if (visitor.visit({leaf.key[i], leaf.step[i], value}))
                return true;
        }
        return false;
    }

    /// Looks for a step: done where holds(value, value); nothing in a stretch whose values span
    /// [low, high] where not holds(low, high).
    template <class Holds>
    struct Search {
        const Holds& holds;
        Step found{};

        BURSAR_HD void begin(std::int64_t) {}
        [[nodiscard]] BURSAR_HD bool skips(std::int64_t low, std::int64_t high) const {
            return !holds(low, high);
        }
        [[nodiscard]] BURSAR_HD bool visit(const Step& step) {
            if (!holds(step.value, step.value))
                return false;
            found = step;
            return true;
        }
    };
    template <class Holds>
    [[nodiscard]] BURSAR_HD Step first_where(const StepNodes& nodes,
                                             std::uint64_t from,
                                             const Holds& holds) const {
        Search<Holds> search{holds};
        walk(nodes, from, search);
        return search.found;
    }

    std::uint32_t root_{};
    std::uint32_t root_size_{}; ///< 0: the profile has no steps and no nodes
    unsigned height_{};         ///< of the branches above the leaves
};

} // namespace bursar::inline sim
