#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/arena.hpp"

namespace bursar { inline namespace sim {

/// For heaps from which only the top is ever taken.
class NoPlaces {
  public:
    NoPlaces() = default;
    BURSAR_HD NoPlaces(ArenaCarver&, std::uint32_t) {}
    BURSAR_HD void note(std::uint32_t, std::uint32_t) {}
};

/// The place in the heap of each slot's only entry, so that it can be erased. With no slots,
/// nothing is recorded and nothing can be erased.
class PlaceOfSlot {
  public:
    PlaceOfSlot() = default;
    BURSAR_HD PlaceOfSlot(ArenaCarver& carver, std::uint32_t num_slots)
        : place_{num_slots == 0 ? nullptr : carver.take<std::uint32_t>(num_slots)} {}
    BURSAR_HD void note(std::uint32_t slot, std::uint32_t place) {
        if (place_ != nullptr)
            place_[slot] = place;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t of(std::uint32_t slot) const { return place_[slot]; }

  private:
    std::uint32_t* place_{};
};

/// An implicit 4-ary heap in the arena. Push, pop and erase cost O(log4 n) moves of an entry; where
/// entries are a power of two in size, the four children of a node share a cache line.
///
/// Entry: `operator<`, least on top, and `slot()`. Places: NoPlaces, or PlaceOfSlot to erase.
template <class Entry, class Places>
class QuadHeap {
  public:
    QuadHeap() = default;
    /// Room for `capacity` entries. places: covers every slot.
    BURSAR_HD QuadHeap(ArenaCarver& carver, std::uint32_t capacity, const Places& places)
        : places_{places} {
        const std::size_t num_lines = (std::size_t{capacity} + skipped) / entries_per_line + 1;
        Line* lines = carver.take<Line>(num_lines);
        if (lines != nullptr)
            entries_ = lines->entries + skipped;
    }
    /// As many slots as entries.
    BURSAR_HD QuadHeap(ArenaCarver& carver, std::uint32_t capacity)
        : QuadHeap{carver, capacity, Places{carver, capacity}} {}

    [[nodiscard]] BURSAR_HD bool empty() const { return size_ == 0; }
    [[nodiscard]] BURSAR_HD std::uint32_t size() const { return size_; }
    [[nodiscard]] BURSAR_HD const Entry& top() const { return entries_[0]; }
    /// The entries in no particular order.
    [[nodiscard]] BURSAR_HD const Entry& operator[](std::uint32_t i) const { return entries_[i]; }

    BURSAR_HD void clear() { size_ = 0; }

    BURSAR_HD void push(const Entry& entry) { sift_up(size_++, entry); }

    /// The last entry nearly always belongs at the bottom again. So the hole sinks to the bottom
    /// without comparing to it, and the entry rises from there.
    BURSAR_HD void pop() {
        const Entry last = entries_[--size_];
        std::uint32_t hole = 0;
        for (std::uint32_t child = 1; child < size_; child = hole * arity + 1) {
            const std::uint32_t least = least_child(child);
            put(hole, entries_[least]);
            hole = least;
        }
        sift_up(hole, last);
    }

    /// Whether a slot has an entry. Precondition: it had one before.
    [[nodiscard]] BURSAR_HD bool has(std::uint32_t slot) const {
        const std::uint32_t place = places_.of(slot);
        return place < size_ && entries_[place].slot() == slot;
    }
    /// Removes the entry of a slot. Precondition: it has one.
    BURSAR_HD void erase(std::uint32_t slot) {
        const std::uint32_t hole = places_.of(slot);
        assert(hole < size_ && entries_[hole].slot() == slot);
        const Entry last = entries_[--size_];
        if (hole == size_)
            return;
        sift(hole, last);
    }

    /// Replaces the entry of its slot. Precondition: the slot has one.
    BURSAR_HD void move(const Entry& entry) { sift(places_.of(entry.slot()), entry); }

    /// Calls `renew(entry)`, which may change the entry, for each, least first by the keys before
    /// the call.
    template <class Renew>
    BURSAR_HD void renew_in_order(const Renew& renew) {
        const std::uint32_t size = size_;
        while (size_ > 0) { // the least goes last, behind what is left of the heap
            const Entry least = entries_[0];
            pop();
            entries_[size_] = least;
        }
        for (std::uint32_t i = size; i-- > 0;)
            renew(entries_[i]);
        size_ = size;
        for (std::uint32_t i = size; i-- > 0;) {
            const Entry entry = entries_[i];
            sift_down(i, entry);
        }
    }

  private:
    static constexpr std::uint32_t arity = 4;
    static constexpr std::size_t line_bytes = 64;
    static constexpr bool shares_lines = line_bytes % sizeof(Entry) == 0;
    static constexpr std::size_t entries_per_line = shares_lines ? line_bytes / sizeof(Entry) : 1;
    /// The children of node i are 4i + 1 .. 4i + 4: three places before the root put them on
    /// multiples of four.
    static constexpr std::size_t skipped = arity - 1;
    struct alignas(shares_lines ? line_bytes : alignof(Entry)) Line {
        Entry entries[entries_per_line];
    };

    [[nodiscard]] BURSAR_HD std::uint32_t least_child(std::uint32_t first) const {
        if (first + arity <= size_) { // in two pairs, and without a branch to guess
            const std::uint32_t low = first + (entries_[first + 1] < entries_[first] ? 1U : 0U);
            const std::uint32_t high =
                first + 2 + (entries_[first + 3] < entries_[first + 2] ? 1U : 0U);
            return entries_[high] < entries_[low] ? high : low;
        }
        std::uint32_t least = first;
        const std::uint32_t end = first + arity < size_ ? first + arity : size_;
        for (std::uint32_t child = first + 1; child < end; ++child) {
            if (entries_[child] < entries_[least])
                least = child;
        }
        return least;
    }

    BURSAR_HD void put(std::uint32_t place, const Entry& entry) {
        entries_[place] = entry;
        places_.note(entry.slot(), place);
    }

    BURSAR_HD void sift(std::uint32_t hole, const Entry& entry) {
        if (hole > 0 && entry < entries_[(hole - 1) / arity])
            sift_up(hole, entry);
        else
            sift_down(hole, entry);
    }

    BURSAR_HD void sift_up(std::uint32_t hole, const Entry& entry) {
        while (hole > 0) {
            const std::uint32_t parent = (hole - 1) / arity;
            if (!(entry < entries_[parent]))
                break;
            put(hole, entries_[parent]);
            hole = parent;
        }
        put(hole, entry);
    }

    BURSAR_HD void sift_down(std::uint32_t hole, const Entry& entry) {
        for (std::uint32_t child = hole * arity + 1; child < size_; child = hole * arity + 1) {
            const std::uint32_t least = least_child(child);
            if (!(entries_[least] < entry))
                break;
            put(hole, entries_[least]);
            hole = least;
        }
        put(hole, entry);
    }

    Entry* entries_{};
    std::uint32_t size_{};
    [[no_unique_address]] Places places_;
};

}} // namespace bursar::sim
