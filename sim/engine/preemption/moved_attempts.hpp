#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/arena/heap_sort.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// The running attempts whose key has changed at this instant, each once.
class MovedAttempts {
  public:
    MovedAttempts() = default;
    BURSAR_HD MovedAttempts(ArenaCarver& carver, std::uint32_t max_live)
        : slots_{carver.take<AttemptId>(max_live)}, is_in_{carver.take<bool>(max_live)},
          max_live_{max_live} {}

    BURSAR_HD void clear() {
        num_slots_ = 0;
        for (AttemptId slot{0}; slot < max_live_; ++slot)
            is_in_[slot] = false;
    }

    [[nodiscard]] BURSAR_HD std::uint32_t size() const { return num_slots_; }
    [[nodiscard]] BURSAR_HD AttemptId operator[](std::uint32_t i) const { return slots_[i]; }
    [[nodiscard]] BURSAR_HD bool contains(AttemptId slot) const { return is_in_[slot]; }

    BURSAR_HD void insert(AttemptId slot) {
        is_in_[slot] = true;
        slots_[num_slots_++] = slot;
    }

    /// An attempt ends or gives way before it has settled.
    BURSAR_HD void erase(AttemptId slot) {
        if (!is_in_[slot])
            return;
        is_in_[slot] = false;
        std::uint32_t place = 0;
        while (slots_[place] != slot)
            ++place;
        --num_slots_;
        for (; place < num_slots_; ++place) // those behind it keep their order
            slots_[place] = slots_[place + 1];
    }

    /// Into submit order, so that nothing depends on a slot.
    BURSAR_HD void sort(const LiveAttempts& attempts) {
        heap_sort(slots_, num_slots_, [&](AttemptId a, AttemptId b) {
            return attempts[a].job < attempts[b].job;
        });
    }

    /// Calls `act(slot)` for each, in order, and forgets them.
    template <class Act>
    BURSAR_HD void settle(const Act& act) {
        for (std::uint32_t i = 0; i < num_slots_; ++i) {
            is_in_[slots_[i]] = false;
            act(slots_[i]);
        }
        num_slots_ = 0;
    }

  private:
    AttemptId* slots_{};
    bool* is_in_{};
    std::uint32_t max_live_{};
    std::uint32_t num_slots_{};
};

}} // namespace bursar::sim
