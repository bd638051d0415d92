#pragma once

#include <cassert>
#include <cstdint>

#include "sim/engine/attempts/event_key.hpp"
#include "sim/engine/backfill/release_groups.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// When attempts are believed to release their GPUs, by pool; sorted only as far as queries needed.
///
/// The attempts of a pool lie in groups that follow each other in time, unsorted inside a group.
/// Adding and removing an attempt cost O(log groups). A query walks the groups from the earliest
/// one and adds up whole groups by their sums. If the answer lies in a large group, it splits that.
/// Splits last. So a head that waits for the next few ends costs a few entries, and one that waits
/// for half the pool a few sums. A calendar that is never read is never sorted.
///
/// A pass that reserves calls `add` when an attempt begins, `change` when it is stopped and
/// `remove` when it has released its GPUs; reservations call `room_for` or `for_each_release`.
class ReleaseCalendar {
  public:
    static constexpr std::int64_t no_time = horizon_ms;

    /// When enough slots are free, and how many are free then.
    struct Room {
        std::int64_t time_ms{no_time}; ///< no_time: never
        std::int64_t slots{};
    };

    ReleaseCalendar() = default;
    BURSAR_HD
    ReleaseCalendar(ArenaCarver& carver, const RunPlan& plan, std::uint32_t max_live)
        : num_pools_{plan.num_pools}, pools_{carver.take<ReleaseGroups>(plan.num_pools)},
          entries_{carver.take<ReleaseGroups::Entry>(max_live)} {}

    BURSAR_HD void clear() {
        for (PoolId pool{0}; pool < num_pools_; ++pool)
            pools_[pool].clear();
    }

    /// Adds an attempt that holds `slots` of a pool and is believed to release them at
    /// `release_ms`, less than no_time; times in the past mean now.
    BURSAR_HD void add(PoolId pool, AttemptId slot, std::int64_t release_ms, std::int64_t slots) {
        entries_[slot].key = EventKey{release_ms, EventKind::release, slot}.bits();
        entries_[slot].slots = slots;
        pools_[pool].insert(entries_, slot);
    }
    /// Returns when it was believed to release them.
    BURSAR_HD std::int64_t remove(PoolId pool, AttemptId slot) {
        pools_[pool].erase(entries_, slot);
        return time_of(slot);
    }
    /// Sets another believed release. Returns the one before.
    BURSAR_HD std::int64_t change(PoolId pool, AttemptId slot, std::int64_t release_ms) {
        const std::int64_t before_ms = remove(pool, slot);
        if (before_ms != release_ms)
            add(pool, slot, release_ms, entries_[slot].slots);
        else
            pools_[pool].insert(entries_, slot);
        return before_ms;
    }

    /// When `slots` > 0 more of a pool can be used. Slots released at t can be used from
    /// usable_from(t) on, which is >= t and does not fall as t grows.
    template <class UsableFrom>
    [[nodiscard]] BURSAR_HD Room room_for(PoolId pool,
                                          std::int64_t slots,
                                          const UsableFrom& usable_from) {
        ReleaseGroups& groups = pools_[pool];
        Room room;
        std::int64_t sum = 0;
        for (std::uint32_t g = groups.first(); g < groups.end();) {
            // Releases after that instant do not count.
            if (room.time_ms != no_time && groups.begin_key(g) > last_key(room.time_ms))
                break;
            if (room.time_ms == no_time && sum + groups.slots(g) < slots) {
                sum += groups.slots(g++);
                continue;
            }
            if (groups.is_large(g)) {
                g = groups.split(entries_, g);
                continue;
            }
            groups.for_each_in_order(entries_, g, [&](std::uint32_t slot) {
                const std::int64_t at = usable_from(time_of(slot));
                if (room.time_ms != no_time && at > room.time_ms)
                    return false;
                sum += entries_[slot].slots;
                if (room.time_ms == no_time && sum >= slots)
                    room.time_ms = at;
                return true;
            });
            ++g;
        }
        room.slots = sum;
        return room;
    }

    /// Calls `visit(time_ms, slot) -> bool` for the attempts of a pool in order, until it returns
    /// false.
    template <class Visit>
    BURSAR_HD void for_each_release(PoolId pool, const Visit& visit) {
        ReleaseGroups& groups = pools_[pool];
        bool goes_on = true;
        for (std::uint32_t g = groups.first(); goes_on && g < groups.end();) {
            if (groups.is_large(g)) {
                g = groups.split(entries_, g);
                continue;
            }
            groups.for_each_in_order(entries_, g, [&](std::uint32_t slot) {
                goes_on = visit(time_of(slot), AttemptId{slot});
                return goes_on;
            });
            ++g;
        }
    }

  private:
    static constexpr unsigned time_shift = EventKey::kind_bits + EventKey::slot_bits;

    [[nodiscard]] BURSAR_HD std::int64_t time_of(std::uint32_t slot) const {
        return static_cast<std::int64_t>(entries_[slot].key >> time_shift);
    }
    [[nodiscard]] BURSAR_HD static std::uint64_t last_key(std::int64_t time_ms) {
        return EventKey{time_ms, EventKind::release, EventKey::max_slots - 1}.bits();
    }

    std::uint32_t num_pools_{};
    ReleaseGroups* pools_{};
    ReleaseGroups::Entry* entries_{}; ///< by slot
};

}} // namespace bursar::sim
