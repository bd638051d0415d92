#pragma once

#include <cassert>
#include <cstdint>
#include <type_traits>

#include "sim/arena/step_nodes.hpp"
#include "sim/arena/step_sums.hpp"

namespace bursar { inline namespace sim {

/// A function of a 64-bit key that changes in steps: its value at k is the sum of the steps at or
/// before k. The first steps lie in a leaf of their own, the others in a B+ tree that keeps partial
/// sums. Steps are added anywhere and dropped at the front. A walk skips stretches in which no
/// value matters, and updates the stale sums that it reads. Cost: O(log steps) each, O(1) at the
/// front.
///
/// Used as the profile of slots that reservations leave free. Profiles share the StepNodes that
/// their nodes come from.
class StepProfile {
  public:
    struct Step {
        std::uint64_t key{};
        std::int64_t step{};
        std::int64_t value{}; ///< of the function from this key on
    };

    [[nodiscard]] BURSAR_HD bool empty() const { return first_key_ == no_key; }

    /// Adds a step, to the one at the same key if there is one. A step of 0 is not stored.
    BURSAR_HD void add(StepNodes& nodes, std::uint64_t key, std::int64_t step) {
        if (step == 0)
            return;
        if (empty()) {
            front_ = nodes.leaves.take();
            front_begin_ = 0;
        }
        StepLeaf& front = nodes.leaves[front_];
        if (comes_in_front(front, key) && front.size - front_begin_ == StepLeaf::capacity)
            move_half_to_tree(nodes, front);
        if (comes_in_front(front, key))
            add_to_front(nodes, front, key, step);
        else
            add_to_tree(nodes, key, step);
    }

    /// Drops the steps at or before `key`. Returns their sum.
    BURSAR_HD std::int64_t drop_through(StepNodes& nodes, std::uint64_t key) {
        std::int64_t sum = 0;
        while (first_key_ <= key && !empty()) {
            sum += nodes.leaves[front_].step[front_begin_++];
            settle_front(nodes);
        }
        return sum;
    }

    /// Visits the steps at or after `from` in order, until `visit(step)` returns true.
    /// `begin(value)` is called first, with the value before `from`. `ends_by(key)`: whether the
    /// walk ends before any step at or after `key`. `passes(stretch)`: whether to skip a stretch,
    /// of whose sums only low and high are known. Otherwise `look(stretch) -> StepLook` decides.
    template <class Visitor>
    BURSAR_HD void walk(StepNodes& nodes, std::uint64_t from, Visitor& visitor) const {
        std::int64_t value = 0; // before the node looked at
        bool has_begun = false;
        if (!empty()) {
            const StepLeaf& front = nodes.leaves[front_];
            std::uint32_t first = front_begin_;
            for (; first < front.size && front.key[first] < from; ++first)
                value += front.step[first];
            has_begun = first < front.size;
            if (has_begun) {
                visitor.begin(value);
                if (visit_leaf(front, first, value, visitor))
                    return;
            }
        }
        if (root_size_ == 0) {
            if (!has_begun)
                visitor.begin(value);
            return;
        }
        std::uint32_t branch[max_height];
        std::uint32_t place[max_height];
        std::uint32_t node = root_;
        for (unsigned level = height_; level > 0; --level) {
            const StepBranch& here = nodes.branches[node];
            const std::uint32_t at = has_begun ? 0 : here.child_around(from);
            value += here.all_before(at);
            branch[level - 1] = node;
            place[level - 1] = at;
            node = here.child[at];
        }
        const StepLeaf& leaf = nodes.leaves[node];
        std::uint32_t first = 0;
        if (!has_begun) {
            for (; first < leaf.size && leaf.key[first] < from; ++first)
                value += leaf.step[first];
            visitor.begin(value);
        }
        if (visit_leaf(leaf, first, value, visitor))
            return;
        for (unsigned level = 1; level <= height_;) {
            StepBranch& here = nodes.branches[branch[level - 1]];
            const std::uint32_t at = ++place[level - 1];
            if (at == here.size) {
                ++level;
                continue;
            }
            if (at > 0 && visitor.ends_by(here.key[at]))
                return;
            const StepStretch stretch{value, value + here.all[at], level, here.sums_of[at]};
            StepLook look = StepLook::past;
            if (!visitor.passes(stretch)) {
                if (here.is_stale(at))
                    renew(nodes, branch[level - 1], at, level);
                look = visitor.look(stretch);
            }
            if (look == StepLook::enough)
                return;
            if (look == StepLook::past) {
                value += here.all[at];
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
    static constexpr std::uint64_t no_key = ~std::uint64_t{0};
    static constexpr unsigned max_height = 16; ///< branches have 4 children and more on average

    /// A step belongs in the front if its key is not after the front's last one. Without a tree it
    /// also does if the front has room.
    [[nodiscard]] BURSAR_HD bool comes_in_front(const StepLeaf& front, std::uint64_t key) const {
        const std::uint32_t size = front.size - front_begin_;
        return (size > 0 && key <= front.key[front.size - 1]) ||
               (root_size_ == 0 && size < StepLeaf::capacity);
    }
    /// Precondition: the front is not full.
    BURSAR_HD void
    add_to_front(StepNodes& nodes, StepLeaf& front, std::uint64_t key, std::int64_t step) {
        if (front_begin_ > 0 && front.size == StepLeaf::capacity) {
            for (std::uint32_t i = front_begin_; i < front.size; ++i) {
                front.key[i - front_begin_] = front.key[i];
                front.step[i - front_begin_] = front.step[i];
            }
            front.size -= front_begin_;
            front_begin_ = 0;
        }
        add_to_leaf(front, front_begin_, key, step);
        settle_front(nodes);
    }
    /// After a change at the front: updates the first key, and refills the front if it is empty.
    BURSAR_HD void settle_front(StepNodes& nodes) {
        const StepLeaf& front = nodes.leaves[front_];
        if (front_begin_ < front.size)
            first_key_ = front.key[front_begin_];
        else
            refill_front(nodes);
    }
    BURSAR_HD void refill_front(StepNodes& nodes) {
        nodes.leaves.give_back(front_);
        front_begin_ = 0;
        first_key_ = no_key;
        if (root_size_ == 0)
            return;
        front_ = take_first_leaf(nodes);
        first_key_ = nodes.leaves[front_].key[0];
    }
    BURSAR_HD void move_half_to_tree(StepNodes& nodes, StepLeaf& front) {
        while (front.size > front_begin_ + StepLeaf::capacity / 2) {
            --front.size;
            add_to_tree(nodes, front.key[front.size], front.step[front.size]);
        }
    }

    BURSAR_HD void add_to_tree(StepNodes& nodes, std::uint64_t key, std::int64_t step) {
        if (root_size_ == 0) {
            root_ = nodes.leaves.take();
            height_ = 0;
        }
        split_root_if_full(nodes);
        std::uint32_t branch[max_height];
        std::uint32_t place[max_height];
        std::uint32_t node = root_;
        for (unsigned level = height_; level > 0; --level) {
            const std::uint32_t at = way_down(nodes, node, level, key);
            branch[level - 1] = node;
            place[level - 1] = at;
            nodes.branches[node].change(at, step);
            node = nodes.branches[node].child[at];
        }
        add_to_leaf(nodes.leaves[node], 0, key, step);
        for (unsigned level = 1; level <= height_; ++level)
            settle_child(nodes, branch[level - 1], level, place[level - 1]);
        shrink_root(nodes);
    }
    /// Takes the first leaf out of the tree, which has one.
    [[nodiscard]] BURSAR_HD std::uint32_t take_first_leaf(StepNodes& nodes) {
        std::uint32_t node = root_;
        if (height_ == 0) {
            root_size_ = 0;
            return node;
        }
        std::uint32_t branch[max_height];
        for (unsigned level = height_; level > 0; --level) {
            branch[level - 1] = node;
            node = nodes.branches[node].child[0];
        }
        const std::int64_t all = nodes.branches[branch[0]].all[0];
        for (unsigned level = height_; level > 1; --level)
            nodes.branches[branch[level - 1]].change(0, -all);
        nodes.branches[branch[0]].erase(0);
        for (unsigned level = 2; level <= height_; ++level)
            settle_child(nodes, branch[level - 1], level, 0);
        shrink_root(nodes);
        return node;
    }

    BURSAR_HD static void
    add_to_leaf(StepLeaf& leaf, std::uint32_t begin, std::uint64_t key, std::int64_t step) {
        const std::uint32_t at = leaf.first_at_or_after(key, begin);
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
    /// The child of a branch that leads to `key`, split if it has no room for one more entry.
    [[nodiscard]] BURSAR_HD std::uint32_t
    way_down(StepNodes& nodes, std::uint32_t node, unsigned level, std::uint64_t key) {
        StepBranch& branch = nodes.branches[node];
        const std::uint32_t at = branch.child_around(key);
        if (branch.num[at] < (level == 1 ? StepLeaf::capacity : StepBranch::capacity))
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
            StepBranch& branch = nodes.branches[node];
            branch.insert(at + 1, upper, store[upper].key[0]);
            branch.hold(at, full);
            branch.hold(at + 1, store[upper]);
        };
        if (level == 1)
            halve(nodes.leaves);
        else
            halve(nodes.branches);
    }
    /// Updates the number of entries of a changed child. An empty child is removed; one that fits
    /// into a node with a neighbour is joined with it.
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
        const std::uint32_t before = branch.num[at];
        const std::uint32_t size = changed.size;
        branch.num[at] = static_cast<std::uint8_t>(size);
        if (size >= before)
            return;
        if (size == 0) {
            store.give_back(branch.child[at]);
            branch.erase(at);
            return;
        }
        // Less than full, so that the next step does not split it again.
        constexpr std::uint32_t max_size =
            std::remove_reference_t<decltype(changed)>::capacity * 7 / 8;
        if (at > 0 && size + branch.num[at - 1] <= max_size)
            join(branch, store, at - 1);
        else if (at + 1 < branch.size && size + branch.num[at + 1] <= max_size)
            join(branch, store, at);
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
        branch.hold(at, left);
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

    /// Computes the stale sums below a branch's child, at height `top`.
    BURSAR_HD static void
    renew(StepNodes& nodes, std::uint32_t node, std::uint32_t at, unsigned top) {
        std::uint32_t branch[max_height];
        std::uint32_t place[max_height];
        branch[top - 1] = node;
        place[top - 1] = at;
        for (unsigned level = top; level <= top;) {
            StepBranch& here = nodes.branches[branch[level - 1]];
            const std::uint32_t i = place[level - 1];
            if (level == 1) {
                here.renew(i, nodes.leaves[here.child[i]].sums());
                ++level;
                continue;
            }
            const StepBranch& below = nodes.branches[here.child[i]];
            if (below.stale == 0) {
                here.renew(i, below.sums());
                ++level;
                continue;
            }
            --level;
            branch[level - 1] = here.child[i];
            place[level - 1] = below.first_stale();
        }
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

    std::uint64_t first_key_{no_key}; ///< no_key: the profile has no steps and no nodes
    std::uint32_t front_{};           ///< a leaf: the first steps, behind front_begin_ dropped ones
    std::uint32_t front_begin_{};
    std::uint32_t root_{};
    std::uint32_t root_size_{}; ///< 0: there is no tree
    unsigned height_{};         ///< of the branches above the leaves
};

}} // namespace bursar::sim
