#pragma once

#include <cstdint>

#include "models/energy/metered.hpp"
#include "models/units/int128.hpp"
#include "models/units/units.hpp"

namespace bursar { inline namespace sim {

/// A span of time for which slots of a pool were held, and the reading of each meter of the ledger
/// per slot. A meter whose rate is constant reads zero: it follows from the time.
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

/// part_ms / whole_ms of `whole`, half up.
BURSAR_HD constexpr int128 share_of(int128 whole, std::int64_t whole_ms, std::int64_t part_ms) {
    const int128 per_ms = whole / whole_ms;
    const int128 rest = whole % whole_ms * part_ms; // whole * part_ms may overflow
    return per_ms * part_ms + (2 * rest + whole_ms) / (2 * int128{whole_ms});
}

/// The share of `whole` for `part_ms` of its milliseconds, wherever they lie in it. The rest is
/// `whole - share_of(...)`, so both add up to the whole. Used where two leaves share a stretch by
/// time (work, and the saves in it). Rounded per slot to the nearest, half up.
///
/// part_ms: 0 .. whole.ms; whole.ms >= 1, below 2^41; each meter >= 0, at most 2^50 per ms.
BURSAR_HD constexpr HeldTime share_of(const HeldTime& whole, std::int64_t part_ms) {
    return {part_ms,
            Money{share_of(whole.cost.count(), whole.ms, part_ms)},
            GridTime{share_of(whole.grid.count(), whole.ms, part_ms)}};
}

/// The same without meters.
BURSAR_HD constexpr Duration share_of(Duration /*whole*/, std::int64_t part_ms) {
    return Duration{part_ms};
}

}} // namespace bursar::sim
