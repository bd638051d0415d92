#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/arena.hpp"

namespace bursar { inline namespace sim {

/// Many disjoint sets of the numbers below a bound, each a min-heap that can lose any member: one
/// array of links serves them all, and a set is known by its least member. Insert costs a
/// comparison, erase O(log n) of them on average. Memory: 12 bytes per number.
///
/// Source: Fredman, Sedgewick, Sleator and Tarjan, "The pairing heap", Algorithmica 1, 1986.
class PairingHeaps {
  public:
    static constexpr std::uint32_t none = 0xffffffffU; ///< the empty set

    PairingHeaps() = default;
    BURSAR_HD PairingHeaps(ArenaCarver& carver, std::uint32_t bound)
        : links_{carver.take<Link>(bound)} {}

    /// The set `root` and `number`, which is in no set. Returns the new least member.
    BURSAR_HD std::uint32_t insert(std::uint32_t root, std::uint32_t number) {
        links_[number] = Link{};
        return root == none ? number : meld(root, number);
    }

    /// The set `root` without its member `number`. Returns the new least member, or none.
    BURSAR_HD std::uint32_t erase(std::uint32_t root, std::uint32_t number) {
        const std::uint32_t below = meld_children(number);
        if (number == root)
            return below;
        cut(number);
        return below == none ? root : meld(root, below);
    }

  private:
    /// before: the left sibling, or the parent of a first child.
    struct Link {
        std::uint32_t child{none}, next{none}, before{none};
    };

    /// Two roots become one tree; its root.
    BURSAR_HD std::uint32_t meld(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t parent = a < b ? a : b;
        const std::uint32_t child = a < b ? b : a;
        Link& above = links_[parent];
        Link& under = links_[child];
        under.before = parent;
        under.next = above.child;
        if (above.child != none)
            links_[above.child].before = child;
        above.child = child;
        above.next = above.before = none;
        return parent;
    }

    BURSAR_HD void cut(std::uint32_t number) {
        const Link& link = links_[number];
        Link& before = links_[link.before];
        (before.child == number ? before.child : before.next) = link.next;
        if (link.next != none)
            links_[link.next].before = link.before;
    }

    /// The two passes of the paper: siblings in pairs from the left, then all from the right.
    BURSAR_HD std::uint32_t meld_children(std::uint32_t number) {
        std::uint32_t pairs = none; // melded pairs, the last one first, by `next`
        for (std::uint32_t first = links_[number].child; first != none;) {
            const std::uint32_t other = links_[first].next;
            const std::uint32_t rest = other == none ? none : links_[other].next;
            const std::uint32_t pair = other == none ? first : meld(first, other);
            links_[pair].next = pairs;
            pairs = pair;
            first = rest;
        }
        if (pairs == none)
            return none;
        std::uint32_t root = pairs;
        for (std::uint32_t pair = links_[pairs].next; pair != none;) {
            const std::uint32_t next = links_[pair].next;
            root = meld(root, pair);
            pair = next;
        }
        links_[root].next = links_[root].before = none;
        return root;
    }

    Link* links_{};
};

}} // namespace bursar::sim
