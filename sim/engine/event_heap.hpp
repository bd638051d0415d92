#pragma once

#include <cassert>
#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/arena.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar {

/// What happens, in the order in which it happens at one instant. First the world, then ends, then
/// timers; arrivals are a cursor over the plan and come after all of these; one scheduling pass
/// ends the instant. A new kind is inserted at its place in this order, with its reason.
enum class EventKind : std::uint8_t {
    /// An attempt gives its GPUs back. Before arrivals and the pass, so that a job that arrives at
    /// this
    /// instant finds what was freed at it (as Tiresias and Helios do).
    release,
};

/// One event as one integer, whose order is the only order of events:
/// 40 bits of milliseconds, 4 bits of kind, 20 bits of slot (attempt, node or pool). Events of one
/// instant and kind may be handled in any order: nothing in the outcome depends on the slot.
class EventKey {
  public:
    static constexpr unsigned slot_bits = 20;
    static constexpr unsigned kind_bits = 4;
    static constexpr std::uint32_t max_slots = 1U << slot_bits;

    EventKey() = default;
    BURSAR_HD EventKey(std::int64_t time_ms, EventKind kind, std::uint32_t slot)
        : bits_{static_cast<std::uint64_t>(time_ms) << (kind_bits + slot_bits) |
                static_cast<std::uint64_t>(kind) << slot_bits | slot} {
        assert(time_ms >= 0 && time_ms < horizon_ms && slot < max_slots);
    }

    [[nodiscard]] BURSAR_HD std::int64_t time_ms() const {
        return static_cast<std::int64_t>(bits_ >> (kind_bits + slot_bits));
    }
    [[nodiscard]] BURSAR_HD std::uint32_t slot() const {
        return static_cast<std::uint32_t>(bits_) & (max_slots - 1);
    }
    friend BURSAR_HD bool operator<(EventKey a, EventKey b) { return a.bits_ < b.bits_; }

  private:
    std::uint64_t bits_{};
};

/// The events to come: an implicit 4-ary heap. Push and pop cost O(log4 n) moves of 8 bytes; the
/// array is laid so that the four children of a node share a cache line.
class EventHeap {
  public:
    EventHeap() = default;
    /// Room for `capacity` events in the arena.
    BURSAR_HD EventHeap(ArenaCarver& carver, std::uint32_t capacity) {
        const std::size_t num_lines = (std::size_t{capacity} + skipped_keys) / keys_per_line + 1;
        Line* lines = carver.take<Line>(num_lines);
        if (lines != nullptr)
            keys_ = lines->keys + skipped_keys;
    }

    [[nodiscard]] BURSAR_HD bool empty() const { return size_ == 0; }
    [[nodiscard]] BURSAR_HD std::uint32_t size() const { return size_; }
    [[nodiscard]] BURSAR_HD EventKey top() const { return keys_[0]; }
    /// The events in no particular order.
    [[nodiscard]] BURSAR_HD EventKey operator[](std::uint32_t i) const { return keys_[i]; }

    BURSAR_HD void push(EventKey key) {
        std::uint32_t hole = size_++;
        while (hole > 0) {
            const std::uint32_t parent = (hole - 1) / arity;
            if (!(key < keys_[parent]))
                break;
            keys_[hole] = keys_[parent];
            hole = parent;
        }
        keys_[hole] = key;
    }

    BURSAR_HD void pop() {
        const EventKey last = keys_[--size_];
        std::uint32_t hole = 0;
        for (std::uint32_t child = 1; child < size_; child = hole * arity + 1) {
            const std::uint32_t least = least_child(child);
            if (!(keys_[least] < last))
                break;
            keys_[hole] = keys_[least];
            hole = least;
        }
        keys_[hole] = last;
    }

  private:
    static constexpr std::uint32_t arity = 4;
    static constexpr std::size_t keys_per_line = 8;
    /// The children of node i are 4i + 1 .. 4i + 4: three places before the root put them on
    /// multiples of four.
    static constexpr std::size_t skipped_keys = 3;
    struct alignas(keys_per_line * sizeof(EventKey)) Line {
        EventKey keys[keys_per_line];
    };

    [[nodiscard]] BURSAR_HD std::uint32_t least_child(std::uint32_t first) const {
        std::uint32_t least = first;
        const std::uint32_t end = first + arity < size_ ? first + arity : size_;
        for (std::uint32_t child = first + 1; child < end; ++child) {
            if (keys_[child] < keys_[least])
                least = child;
        }
        return least;
    }

    EventKey* keys_{};
    std::uint32_t size_{};
};

} // namespace bursar
