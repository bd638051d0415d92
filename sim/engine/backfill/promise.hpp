#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/quad_heap.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// The first round at an instant or after it: rounds are the multiples of a quantum, and all
/// instants where the quantum is 0.
[[nodiscard]] BURSAR_HD constexpr std::int64_t round_from(std::int64_t at_ms,
                                                          std::int64_t quantum_ms) {
    return quantum_ms == 0 ? at_ms : (at_ms + quantum_ms - 1) / quantum_ms * quantum_ms;
}

/// The time of forecasts. Tick 2t is the instant t itself, in which jobs of no length have their
/// turn; tick 2t + 1 is what follows, up to the next instant. Who holds GPUs over [s, e) holds them
/// from tick 2s + 1 to tick 2e.
[[nodiscard]] BURSAR_HD constexpr std::int64_t tick_of_instant(std::int64_t at_ms) {
    return 2 * at_ms;
}
[[nodiscard]] BURSAR_HD constexpr std::int64_t tick_after(std::int64_t at_ms) {
    return 2 * at_ms + 1;
}
/// Both ticks of an instant are of it.
[[nodiscard]] BURSAR_HD constexpr std::int64_t instant_of(std::int64_t tick) {
    return tick / 2;
}

/// For how many ticks, from tick 2s + 1 on, GPUs must be free for a job that starts at s: a job of
/// no length, too, comes after those of which it was known before that they start there.
[[nodiscard]] BURSAR_HD constexpr std::int64_t ticks_of_hold(std::int64_t hold_ms) {
    return hold_ms > 0 ? 2 * hold_ms - 1 : 1;
}

/// A reservation of conservative backfilling: a job will start on a pool at an instant and hold its
/// GPUs for so long, as believed.
struct Promise {
    std::int64_t start_ms{};
    std::int64_t hold_ms{}; ///< 0: a job of no length
    PoolId pool{};
    std::uint32_t first_piece{}; ///< its nodes, where the forecast keeps them

    [[nodiscard]] BURSAR_HD std::int64_t end_ms() const { return start_ms + hold_ms; }
    [[nodiscard]] BURSAR_HD bool has_length() const { return hold_ms > 0; }

    // What no other job may be promised from now on. At the instant of a job of no length others
    // may still be promised their start: it goes first and is gone.
    [[nodiscard]] BURSAR_HD std::int64_t begin_tick() const {
        return has_length() ? tick_after(start_ms) : tick_of_instant(start_ms);
    }
    [[nodiscard]] BURSAR_HD std::int64_t end_tick() const {
        return has_length() ? tick_of_instant(end_ms()) : tick_after(start_ms);
    }
};

/// A job and the tick at which what was promised to it begins; ties by number.
struct PromisedStart {
    std::int64_t tick{};
    JobId job{};

    [[nodiscard]] BURSAR_HD std::uint32_t slot() const { return job; }
    friend BURSAR_HD bool operator<(const PromisedStart& a, const PromisedStart& b) {
        return a.tick < b.tick || (a.tick == b.tick && a.job < b.job);
    }
};

/// Jobs by their promised starts, the first on top.
using StartHeap = QuadHeap<PromisedStart, NoPlaces>;

}} // namespace bursar::sim
