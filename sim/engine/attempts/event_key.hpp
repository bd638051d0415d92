#pragma once

#include <cassert>
#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// The events of attempts, in their order at one instant. They come before the clocks of the world
/// and the arrivals; README.md of sim/engine, "An instant", has the whole order. A new kind is
/// inserted at its place in this order, with its reason.
enum class EventKind : std::uint8_t {
    /// An attempt releases its GPUs. Before arrivals and the pass, so that a job that arrives at
    /// this instant can use them (as in Tiresias and Helios).
    release,
    /// The standing of a running attempt changes: it enters another level of its order, or its work
    /// has ended and it only cleans up. After releases, so that an attempt that ends now does not
    /// change its standing first; before arrivals and the pass, which reads it.
    standing,
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

    /// No event; after all others.
    [[nodiscard]] BURSAR_HD static EventKey none() {
        EventKey none;
        none.bits_ = ~std::uint64_t{0};
        return none;
    }
    [[nodiscard]] BURSAR_HD bool is_none() const { return bits_ == ~std::uint64_t{0}; }

    [[nodiscard]] BURSAR_HD std::int64_t time_ms() const {
        return static_cast<std::int64_t>(bits_ >> (kind_bits + slot_bits));
    }
    [[nodiscard]] BURSAR_HD EventKind kind() const {
        return static_cast<EventKind>(bits_ >> slot_bits & ((1U << kind_bits) - 1));
    }
    [[nodiscard]] BURSAR_HD std::uint32_t slot() const {
        return static_cast<std::uint32_t>(bits_) & (max_slots - 1);
    }
    /// The attempt of the event.
    [[nodiscard]] BURSAR_HD AttemptId attempt() const { return AttemptId{slot()}; }
    [[nodiscard]] BURSAR_HD std::uint64_t bits() const { return bits_; }
    friend BURSAR_HD bool operator<(EventKey a, EventKey b) { return a.bits_ < b.bits_; }

  private:
    std::uint64_t bits_{};
};

}} // namespace bursar::sim
