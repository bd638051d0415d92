#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// Sorts `num` values by `before(a, b)`, in place: O(n log n), also for device code. Equal ones
/// come in no particular order.
template <class T, class Before>
BURSAR_HD void heap_sort(T* values, std::uint32_t num, const Before& before) {
    const auto sift_down = [&](std::uint32_t hole, std::uint32_t size) {
        const T value = values[hole];
        for (std::uint32_t child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
            if (child + 1 < size && before(values[child], values[child + 1]))
                ++child;
            if (!before(value, values[child]))
                break;
            values[hole] = values[child];
            hole = child;
        }
        values[hole] = value;
    };
    for (std::uint32_t i = num / 2; i-- > 0;)
        sift_down(i, num);
    for (std::uint32_t size = num; size > 1;) {
        --size;
        const T last = values[size];
        values[size] = values[0];
        values[0] = last;
        sift_down(0, size);
    }
}

/// The running attempts whose key has changed since the last pass, each once, with the new keys.
class MovedAttempts {
  public:
    MovedAttempts() = default;
    BURSAR_HD MovedAttempts(ArenaCarver& carver, std::uint32_t max_live)
        : slots_{carver.take<AttemptId>(max_live)}, key_{carver.take<std::uint64_t>(max_live)},
          is_in_{carver.take<bool>(max_live)}, max_live_{max_live} {}

    BURSAR_HD void clear() {
        num_slots_ = 0;
        for (AttemptId slot{0}; slot < max_live_; ++slot)
            is_in_[slot] = false;
    }

    [[nodiscard]] BURSAR_HD std::uint32_t size() const { return num_slots_; }
    [[nodiscard]] BURSAR_HD AttemptId operator[](std::uint32_t i) const { return slots_[i]; }
    [[nodiscard]] BURSAR_HD bool contains(AttemptId slot) const { return is_in_[slot]; }

    BURSAR_HD void insert(AttemptId slot, std::uint64_t key = 0) {
        key_[slot] = key;
        if (is_in_[slot]) // between two rounds a key may change more than once
            return;
        is_in_[slot] = true;
        slots_[num_slots_++] = slot;
    }
    [[nodiscard]] BURSAR_HD std::uint64_t key_of(AttemptId slot) const { return key_[slot]; }

    /// Removes an attempt that ends or is preempted.
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

    /// Sorts them by submit order, so that nothing depends on slots.
    BURSAR_HD void sort(const LiveAttempts& attempts) {
        heap_sort(slots_, num_slots_, [&](AttemptId a, AttemptId b) {
            return attempts[a].job < attempts[b].job;
        });
    }

    /// Calls `act(slot)` for each, in order, and removes all.
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
    std::uint64_t* key_{}; ///< by slot
    bool* is_in_{};
    std::uint32_t max_live_{};
    std::uint32_t num_slots_{};
};

// Capacity to distribute where nodes come and go.

/// Free slots; by count, negative if jobs hold more than is up.
template <class Capacity>
[[nodiscard]] BURSAR_HD std::int64_t free_or_owed(const Capacity& capacity, PoolId pool) {
    if constexpr (Capacity::counts_only)
        return capacity.balance(pool);
    else
        return capacity.free_slots(pool);
}

/// Slots of an attempt on nodes that take work.
template <class Capacity>
[[nodiscard]] BURSAR_HD std::int64_t
slots_on_nodes_up(const Capacity& capacity, const RunPlan& plan, const Attempt& attempt) {
    const JobShape& shape = plan.current_shapes[attempt.shape];
    if constexpr (Capacity::counts_only) {
        return shape.slots();
    } else {
        std::int64_t gpus_up = 0;
        capacity.for_each_piece({attempt.pool, attempt.level, attempt.first_piece},
                                [&](std::uint32_t node, std::uint32_t gpus) {
                                    if (!capacity.is_offline(PoolId{attempt.pool}, node))
                                        gpus_up += gpus;
                                });
        return gpus_up * shape.gpu_slots;
    }
}

}} // namespace bursar::sim
