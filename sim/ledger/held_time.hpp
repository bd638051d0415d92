#pragma once

#include <cstdint>

#include "models/energy/metered.hpp"
#include "models/units/int128.hpp"
#include "models/units/units.hpp"

namespace bursar { inline namespace sim {

/// A span of time for which slots of a pool were held, and what the meters of a ledger say of it
/// for each slot. A meter is zero where its rate is constant: it follows from the time there.
struct HeldTime {
    std::int64_t ms{};
    Money cost{};
    GridTime grid{};

    BURSAR_HD constexpr HeldTime& operator+=(const HeldTime& more) {
        ms += more.ms;
        cost += more.cost;
        grid += more.grid;
        return *this;
    }
    friend BURSAR_HD constexpr HeldTime operator-(const HeldTime& a, const HeldTime& b) {
        return {a.ms - b.ms, a.cost - b.cost, a.grid - b.grid};
    }
    friend BURSAR_HD constexpr HeldTime operator-(const HeldTime& a) {
        return {-a.ms, -a.cost, -a.grid};
    }
    friend BURSAR_HD constexpr bool operator==(const HeldTime& a, const HeldTime& b) {
        return a.ms == b.ms && a.cost == b.cost && a.grid == b.grid;
    }
};

/// What was booked of one thing: its time in slots, and what each meter has of it.
struct BookedTime {
    SlotTime held{};
    Money cost{};
    GridTime grid{};

    friend constexpr bool operator==(const BookedTime&, const BookedTime&) = default;
};

/// part_ms / whole_ms of `whole`, half up.
BURSAR_HD constexpr int128 share_of(int128 whole, std::int64_t whole_ms, std::int64_t part_ms) {
    const int128 per_ms = whole / whole_ms;
    const int128 rest = whole % whole_ms * part_ms; // by itself: the product may not fit
    return per_ms * part_ms + (2 * rest + whole_ms) / (2 * int128{whole_ms});
}

/// The share of `whole` that `part_ms` of its milliseconds have, wherever in it they lie; the rest
/// is `whole - share_of(...)`, so that both together have what the whole does. This is the rule for
/// a stretch that two leaves share by time (work, and the saves in it): exact as a whole, divided
/// by largest remainder, per slot. Of two equal remainders the share has the larger.
///
/// part_ms: 0 .. whole.ms; whole.ms >= 1, below 2^41; each meter >= 0, at most 2^50 per ms.
BURSAR_HD constexpr HeldTime share_of(const HeldTime& whole, std::int64_t part_ms) {
    return {part_ms,
            Money{share_of(whole.cost.count(), whole.ms, part_ms)},
            GridTime{share_of(whole.grid.count(), whole.ms, part_ms)}};
}

/// The same where no meter is kept.
BURSAR_HD constexpr Duration share_of(Duration /*whole*/, std::int64_t part_ms) {
    return Duration{part_ms};
}

}} // namespace bursar::sim
