#pragma once

#include <cstdint>

#include "models/units/int128.hpp"
#include "models/units/units.hpp"

namespace bursar { inline namespace sim {

/// A span of time for which slots of a pool were held, and what each of them cost over it. The cost
/// is zero where the price is constant: it follows from the time there.
struct HeldTime {
    std::int64_t ms{};
    Money cost{}; ///< of one slot

    BURSAR_HD constexpr HeldTime& operator+=(const HeldTime& more) {
        ms += more.ms;
        cost += more.cost;
        return *this;
    }
    friend BURSAR_HD constexpr HeldTime operator-(const HeldTime& a, const HeldTime& b) {
        return {a.ms - b.ms, a.cost - b.cost};
    }
    friend BURSAR_HD constexpr HeldTime operator-(const HeldTime& a) { return {-a.ms, -a.cost}; }
    friend BURSAR_HD constexpr bool operator==(const HeldTime& a, const HeldTime& b) {
        return a.ms == b.ms && a.cost == b.cost;
    }
};

/// The share of `whole` that `part_ms` of its milliseconds have, wherever in it they lie; the rest
/// is `whole - share_of(...)`, so that both together cost what the whole does. This is the rule for
/// a stretch that two leaves share by time (work, and the saves in it): exact as a whole, divided
/// by largest remainder, per slot. Of two equal remainders the share has the larger.
///
/// part_ms: 0 .. whole.ms; whole.ms >= 1, below 2^41; whole.cost >= 0, at most 2^50 per ms.
BURSAR_HD constexpr HeldTime share_of(const HeldTime& whole, std::int64_t part_ms) {
    const int128 per_ms = whole.cost.count() / whole.ms;
    const int128 rest = whole.cost.count() % whole.ms * part_ms; // apart: the product may not fit
    return {part_ms, Money{per_ms * part_ms + (2 * rest + whole.ms) / (2 * int128{whole.ms})}};
}

/// The same where no cost is kept.
BURSAR_HD constexpr Duration share_of(Duration /*whole*/, std::int64_t part_ms) {
    return Duration{part_ms};
}

}} // namespace bursar::sim
