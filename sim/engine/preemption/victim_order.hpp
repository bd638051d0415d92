#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/arena/quad_heap.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// A running attempt that may be preempted.
struct Victim {
    Rank rank{};
    AttemptId attempt{};
    std::int32_t slots{}; ///< slots held; negative: preempted, as the pass in progress has
                          ///< decided so far

    [[nodiscard]] BURSAR_HD AttemptId slot() const { return attempt; }
    [[nodiscard]] BURSAR_HD bool gives_way() const { return slots < 0; }
    [[nodiscard]] BURSAR_HD std::int32_t num_slots() const { return slots < 0 ? -slots : slots; }

    /// The last in the queue's order is preempted first.
    friend BURSAR_HD bool operator<(const Victim& a, const Victim& b) { return b.rank < a.rank; }
};

/// The running attempts of one pool, the first to be preempted in front.
///
/// The front is a sorted array, about as long as passes read; the others are in a heap. Insert and
/// erase cost O(log n), and reading the front again is free. The first to be preempted is at the
/// array's end, where most changes are; the array grows to both sides.
class VictimOrder {
  public:
    VictimOrder() = default;
    /// places, is_in_front: by slot, shared by the orders of all pools.
    BURSAR_HD VictimOrder(ArenaCarver& carver,
                          std::uint32_t capacity,
                          const PlaceOfSlot& places,
                          bool* is_in_front)
        : rest_{carver, capacity, places}, front_{carver.take<Victim>(2 * std::size_t{capacity})},
          capacity_{capacity}, is_in_front_{is_in_front} {}

    BURSAR_HD void clear() {
        rest_.clear();
        begin_ = end_ = capacity_;
    }

    BURSAR_HD void insert(const Victim& victim) {
        is_in_front_[victim.attempt] = goes_in_front(victim);
        if (!is_in_front_[victim.attempt]) {
            rest_.push(victim);
            return;
        }
        if (end_ == 2 * capacity_)
            move_front(0);
        std::uint32_t place = end_++;
        for (; front_[place - 1] < victim; --place)
            front_[place] = front_[place - 1];
        front_[place] = victim;
    }

    BURSAR_HD void erase(AttemptId slot) {
        if (!is_in_front_[slot]) {
            rest_.erase(slot);
            return;
        }
        std::uint32_t place = begin_;
        while (front_[place].attempt != slot)
            ++place;
        for (; place > begin_; --place)
            front_[place] = front_[place - 1];
        ++begin_;
    }

    /// Moves the attempt of `victim` to its new place in the order.
    BURSAR_HD void move(const Victim& victim) {
        if (!is_in_front_[victim.attempt] && !goes_in_front(victim)) {
            rest_.move(victim);
            return;
        }
        erase(victim.attempt);
        insert(victim);
    }

    /// The number of sorted ones, in the front.
    [[nodiscard]] BURSAR_HD std::uint32_t num_front() const { return end_ - begin_; }
    [[nodiscard]] BURSAR_HD bool has_more() const { return !rest_.empty(); }
    /// The first one behind the front. Precondition: has_more().
    [[nodiscard]] BURSAR_HD const Victim& next() const { return rest_.top(); }
    /// Whether the first to be preempted comes after `rank` in the order.
    [[nodiscard]] BURSAR_HD bool has_behind(const Rank& rank) const {
        if (begin_ < end_) [[likely]]
            return rank < front_[end_ - 1].rank;
        return has_more() && rank < next().rank;
    }
    /// i: below num_front(). 0 is preempted first.
    [[nodiscard]] BURSAR_HD const Victim& operator[](std::uint32_t i) const {
        return front_[end_ - 1 - i];
    }

    /// Calls `act(victim)` for each, unsorted.
    template <class Act>
    BURSAR_HD void for_each(const Act& act) const {
        for (std::uint32_t i = 0; i < num_front(); ++i)
            act((*this)[i]);
        for (std::uint32_t i = 0; i < rest_.size(); ++i)
            act(rest_[i]);
    }

    /// Moves one more from the heap to the front. Precondition: has_more().
    BURSAR_HD void bring() {
        if (begin_ == 0)
            move_front(2 * capacity_ - num_front());
        const Victim victim = rest_.top();
        rest_.pop();
        is_in_front_[victim.attempt] = true;
        front_[--begin_] = victim;
    }

    BURSAR_HD void decide(std::uint32_t i, bool gives_way) {
        Victim& victim = front_[end_ - 1 - i];
        victim.slots = gives_way ? -victim.num_slots() : victim.num_slots();
    }

    /// Marks the first `num` as preempted.
    BURSAR_HD void take_all(std::uint32_t num) {
        for (std::uint32_t place = end_ - num; place < end_; ++place)
            front_[place].slots = -front_[place].num_slots();
    }

    /// Removes the preempted ones among the first `num`, in order.
    template <class Act>
    BURSAR_HD void take_leavers(std::uint32_t num, const Act& act) {
        for (std::uint32_t i = 0; i < num; ++i) {
            if ((*this)[i].gives_way())
                act((*this)[i]);
        }
        std::uint32_t kept = end_ - num;
        for (std::uint32_t place = kept; place < end_; ++place) {
            if (!front_[place].gives_way())
                front_[kept++] = front_[place];
        }
        end_ = kept;
    }

    /// Returns those past the first `num` to the heap, if there are many more.
    BURSAR_HD void trim(std::uint32_t num) {
        if (num_front() <= 2 * num + spare)
            return;
        while (num_front() > num + spare / 2) {
            const Victim& victim = front_[begin_++];
            is_in_front_[victim.attempt] = false;
            rest_.push(victim);
        }
    }

  private:
    static constexpr std::uint32_t spare = 16;

    [[nodiscard]] BURSAR_HD bool goes_in_front(const Victim& victim) const {
        return begin_ < end_ && victim < front_[begin_];
    }

    BURSAR_HD void move_front(std::uint32_t begin) {
        const std::uint32_t num = num_front();
        if (begin < begin_) {
            for (std::uint32_t i = 0; i < num; ++i)
                front_[begin + i] = front_[begin_ + i];
        } else {
            for (std::uint32_t i = num; i-- > 0;)
                front_[begin + i] = front_[begin_ + i];
        }
        begin_ = begin;
        end_ = begin + num;
    }

    QuadHeap<Victim, PlaceOfSlot> rest_;
    Victim* front_{};
    std::uint32_t capacity_{};
    std::uint32_t begin_{};
    std::uint32_t end_{};
    bool* is_in_front_{};
};

}} // namespace bursar::sim
