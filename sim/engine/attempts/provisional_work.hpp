#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/ledger/held_time.hpp"

namespace bursar { inline namespace sim {

/// Work of stopped attempts that was kept, of jobs that will fail or be cancelled by the trace, or
/// that may be dropped. It is booked as useful (reports: rule 1) and taken back when the job ends
/// so: the end is not known before, and the run may end first.
///
/// A list for each such job, with an entry for each WorkPlace where it has worked.
class ProvisionalWork {
  public:
    static constexpr std::uint32_t none = 0; ///< an empty list

    ProvisionalWork() = default;
    BURSAR_HD ProvisionalWork(ArenaCarver& carver, std::uint32_t max_entries)
        : entries_{carver.take<Entry>(max_entries)}, max_entries_{max_entries} {}

    BURSAR_HD void clear() { num_used_ = first_free_ = 0; }

    /// Whether there is room for work at that place in the list `first`.
    [[nodiscard]] BURSAR_HD bool has_room(std::uint32_t first, const WorkPlace& place) const {
        return first_free_ != none || num_used_ < max_entries_ || find(first, place) != none;
    }

    /// The list `first` with more work. Precondition: has_room().
    BURSAR_HD std::uint32_t
    add(std::uint32_t first, const WorkPlace& place, const HeldTime& worked) {
        std::uint32_t at = find(first, place);
        if (at != none) {
            entries_[at - 1].worked += worked;
            return first;
        }
        at = first_free_;
        if (at != none)
            first_free_ = entries_[at - 1].next;
        else
            at = ++num_used_;
        assert(at <= max_entries_);
        entries_[at - 1] = {worked, place, first};
        return at;
    }

    /// Calls `act(place, worked)` for each entry of a list, and removes the list.
    template <class Act>
    BURSAR_HD void take(std::uint32_t first, const Act& act) {
        for (std::uint32_t at = first; at != none;) {
            Entry& entry = entries_[at - 1];
            act(entry.place, entry.worked);
            const std::uint32_t next = entry.next;
            entry.next = first_free_;
            first_free_ = at;
            at = next;
        }
    }

  private:
    struct Entry {
        HeldTime worked; ///< inside the window
        WorkPlace place{};
        std::uint32_t next{}; ///< 1 + its place; none: the last
    };

    [[nodiscard]] BURSAR_HD std::uint32_t find(std::uint32_t first, const WorkPlace& place) const {
        std::uint32_t at = first;
        while (at != none && entries_[at - 1].place != place)
            at = entries_[at - 1].next;
        return at;
    }

    Entry* entries_{};
    std::uint32_t max_entries_{};
    std::uint32_t num_used_{};
    std::uint32_t first_free_{}; ///< as `next`
};

}} // namespace bursar::sim
