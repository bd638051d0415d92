#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/quad_heap.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// The first round at or after an instant. Rounds are the multiples of a quantum; with quantum 0,
/// all instants.
[[nodiscard]] BURSAR_HD constexpr std::int64_t round_from(std::int64_t at_ms,
                                                          std::int64_t quantum_ms) {
    return quantum_ms == 0 ? at_ms : (at_ms + quantum_ms - 1) / quantum_ms * quantum_ms;
}

/// The time of forecasts. Tick 2t is the instant t itself, at which jobs of zero length run; tick
/// 2t + 1 is the time up to the next instant. A job that holds GPUs over [s, e) holds them from
/// tick 2s + 1 to tick 2e.
[[nodiscard]] BURSAR_HD constexpr std::int64_t tick_of_instant(std::int64_t at_ms) {
    return 2 * at_ms;
}
[[nodiscard]] BURSAR_HD constexpr std::int64_t tick_after(std::int64_t at_ms) {
    return 2 * at_ms + 1;
}
/// The instant of either of its ticks.
[[nodiscard]] BURSAR_HD constexpr std::int64_t instant_of(std::int64_t tick) {
    return tick / 2;
}

/// For how many ticks, from tick 2s + 1 on, GPUs must be free for a job that starts at s. This
/// includes jobs of zero length: they run after those promised the same start before.
[[nodiscard]] BURSAR_HD constexpr std::int64_t ticks_of_hold(std::int64_t hold_ms) {
    return hold_ms > 0 ? 2 * hold_ms - 1 : 1;
}

/// A reservation of conservative backfilling: the start of a job on a pool, and its believed hold.
struct Promise {
    std::int64_t start_ms{};
    std::int64_t hold_ms{}; ///< 0: a job of zero length
    PoolId pool{};
    std::uint32_t first_piece{}; ///< its nodes, where the forecast keeps them

    [[nodiscard]] BURSAR_HD std::int64_t end_ms() const { return start_ms + hold_ms; }
    [[nodiscard]] BURSAR_HD bool has_length() const { return hold_ms > 0; }

    // The ticks that no other promise may overlap. At the instant of a job of zero length other
    // jobs may still start: that job runs first.
    [[nodiscard]] BURSAR_HD std::int64_t begin_tick() const {
        return has_length() ? tick_after(start_ms) : tick_of_instant(start_ms);
    }
    [[nodiscard]] BURSAR_HD std::int64_t end_tick() const {
        return has_length() ? tick_of_instant(end_ms()) : tick_after(start_ms);
    }
};

/// A job and the first tick of its promise; ties by number.
struct PromisedStart {
    std::int64_t tick{};
    JobId job{};

    [[nodiscard]] BURSAR_HD std::uint32_t slot() const { return job; }
    friend BURSAR_HD bool operator<(const PromisedStart& a, const PromisedStart& b) {
        return a.tick < b.tick || (a.tick == b.tick && a.job < b.job);
    }
};

/// Jobs by their promised starts, the earliest on top.
using StartHeap = QuadHeap<PromisedStart, NoPlaces>;

}} // namespace bursar::sim
