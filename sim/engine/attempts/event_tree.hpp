#pragma once

#include <cassert>
#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/event_key.hpp"

namespace bursar { inline namespace sim {

/// The next event of each attempt, and the first of all: a tree over the slots, each node the
/// lesser of its two children. A change costs one step per level, log2 of the slots in use, without
/// branches on times or addresses that depend on data. Memory: 16 bytes per slot, slots rounded up
/// to a power of two.
///
/// Cancelling an event costs one write, in its leaf. Inner nodes keep it until its slot gets
/// another event or it reaches the top; so an inner node is never later than its children.
class EventTree {
  public:
    EventTree() = default;
    /// Room for slots 0 .. num_slots - 1.
    BURSAR_HD EventTree(ArenaCarver& carver, std::uint32_t num_slots) {
        while (num_leaves_ < num_slots)
            num_leaves_ *= 2;
        nodes_ = carver.take<EventKey>(std::size_t{2} * num_leaves_);
    }

    BURSAR_HD void clear() {
        size_ = 0;
        has_called_off_ = false;
        width_ = 1;
        root_ = num_leaves_;
        nodes_[root_] = EventKey::none();
    }

    [[nodiscard]] BURSAR_HD bool empty() const { return size_ == 0; }
    [[nodiscard]] BURSAR_HD std::uint32_t size() const { return size_; }
    /// The first event. Precondition: not empty().
    [[nodiscard]] BURSAR_HD const EventKey& top() const { return nodes_[root_]; }

    [[nodiscard]] BURSAR_HD bool has(std::uint32_t slot) const {
        return slot < width_ && !nodes_[num_leaves_ + slot].is_none();
    }

    /// Precondition: its slot has no event.
    BURSAR_HD void push(const EventKey& event) {
        while (event.slot() >= width_)
            widen();
        assert(!has(event.slot()));
        ++size_;
        set(event.slot(), event);
    }
    BURSAR_HD void pop() {
        --size_;
        set(top().slot(), EventKey::none());
        if (has_called_off_)
            find_first();
    }
    /// Removes the first event without updating inner nodes, so that pushing another one for its
    /// slot costs one update. Call find_first() before the next top().
    BURSAR_HD void take_first() {
        --size_;
        nodes_[num_leaves_ + top().slot()] = EventKey::none();
    }
    BURSAR_HD void find_first() {
        while (!top().is_none() && !is_pending(top()))
            set(top().slot(), EventKey::none());
    }
    /// Cancels the event of a slot. Precondition: it has one.
    BURSAR_HD void erase(std::uint32_t slot) {
        assert(has(slot));
        if (top().slot() == slot) {
            pop();
            return;
        }
        --size_;
        nodes_[num_leaves_ + slot] = EventKey::none();
        has_called_off_ = true;
    }

    /// Calls `act(event)` for every event, by slot. It may cancel and push events of that slot.
    template <class Act>
    BURSAR_HD void for_each(const Act& act) const {
        for (std::uint32_t slot = 0; slot < width_; ++slot) {
            const EventKey event = nodes_[num_leaves_ + slot];
            if (!event.is_none())
                act(event);
        }
    }

  private:
    /// Whether an event of an inner node was not cancelled.
    [[nodiscard]] BURSAR_HD bool is_pending(EventKey event) const {
        return nodes_[num_leaves_ + event.slot()].bits() == event.bits();
    }

    BURSAR_HD void set(std::uint32_t slot, EventKey event) {
        std::size_t node = num_leaves_ + slot;
        const std::size_t root = root_;
        EventKey* nodes = nodes_;
        nodes[node] = event;
        while (node > root) {
            const EventKey other = nodes[node ^ 1U];
            event = other < event ? other : event;
            node /= 2;
            nodes[node] = event;
        }
    }

    /// Doubles the slots in use: the old ones become the left half of the tree, so that costs
    /// depend on the slots in use.
    BURSAR_HD void widen() {
        std::uint32_t first = root_ + 1;
        for (std::uint32_t num = 1; num <= width_; num *= 2, first *= 2) {
            for (std::uint32_t i = 0; i < num; ++i)
                nodes_[first + i] = EventKey::none();
        }
        const EventKey least = nodes_[root_];
        root_ /= 2;
        width_ *= 2;
        nodes_[root_] = least;
    }

    EventKey* nodes_{};           ///< 1: the root of all leaves; the children of i: 2i and 2i + 1
    std::uint32_t num_leaves_{1}; ///< a power of two; the first is nodes_[num_leaves_]
    std::uint32_t root_{};        ///< of the slots in use
    std::uint32_t width_{};       ///< leaves below the root
    std::uint32_t size_{};
    bool has_called_off_{}; ///< inner nodes may hold events that their leaves do not
};

}} // namespace bursar::sim
