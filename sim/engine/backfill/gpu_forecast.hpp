#pragma once

#include <cstdint>

#include "sim/arena/step_profile.hpp"
#include "sim/engine/backfill/promise.hpp"

namespace bursar { inline namespace sim {

/// The believed number of free GPUs of a pool or node from now on: attempts end by their estimates,
/// promised jobs start as promised. Times are ticks (promise.hpp).
class GpuForecast {
  public:
    static constexpr std::int64_t never = std::int64_t{1} << 62U;

    GpuForecast() = default;
    BURSAR_HD explicit GpuForecast(std::int64_t free) : before_{free} {}

    /// The second tick of the first round at the instant of a tick or after it.
    [[nodiscard]] BURSAR_HD static std::int64_t first_tick_from(std::int64_t tick,
                                                                std::int64_t quantum_ms) {
        return tick_after(round_from(instant_of(tick), quantum_ms));
    }

    /// Takes GPUs (negative: frees them) from a tick on.
    BURSAR_HD void take_from(StepNodes& nodes, std::int64_t tick, std::int64_t gpus) {
        if (tick <= now_)
            before_ -= gpus;
        else
            steps_.add(nodes, static_cast<std::uint64_t>(tick), -gpus);
    }

    /// Takes GPUs (negative: frees them) over [begin, end).
    BURSAR_HD void take(StepNodes& nodes, std::int64_t begin, std::int64_t end, std::int64_t gpus) {
        take_from(nodes, begin, gpus);
        take_from(nodes, end, -gpus);
    }

    /// Drops the time before `now`.
    BURSAR_HD void advance(StepNodes& nodes, std::int64_t now) {
        now_ = now;
        before_ += steps_.drop_through(nodes, static_cast<std::uint64_t>(now));
    }

    /// The first round (round_from()) from whose second tick on `gpus` are free for `ticks` > 0:
    /// that tick, or never. from: the second tick of a round.
    [[nodiscard]] BURSAR_HD std::int64_t first_fit(StepNodes& nodes,
                                                   std::int64_t from,
                                                   std::int64_t gpus,
                                                   std::int64_t ticks,
                                                   std::int64_t quantum_ms) const {
        Gap gap{gpus - before_, from, ticks, quantum_ms};
        steps_.walk(nodes, static_cast<std::uint64_t>(from), gap);
        while (gap.is_in_doubt())
            steps_.walk(nodes, gap.look_again(), gap);
        return gap.since;
    }

    /// The least number free over [begin, end).
    [[nodiscard]] BURSAR_HD std::int64_t
    least_over(StepNodes& nodes, std::int64_t begin, std::int64_t end) const {
        Least least{end, -never};
        steps_.walk(nodes, static_cast<std::uint64_t>(begin) + 1, least);
        return before_ + least.value;
    }
    /// The first tick after another at which more is free; never if there is none.
    [[nodiscard]] BURSAR_HD std::int64_t next_rise(StepNodes& nodes, std::int64_t after) const {
        Rise rise;
        steps_.walk(nodes, static_cast<std::uint64_t>(after) + 1, rise);
        return rise.at;
    }

    /// The least number free at any time from now on; if that is 0 or less, some value that is.
    [[nodiscard]] BURSAR_HD std::int64_t least(StepNodes& nodes) const {
        Least least{never, -before_};
        steps_.walk(nodes, 0, least);
        return before_ + least.value;
    }

  private:
    /// Looks for a stretch of `ticks`, from the second tick of a round on, in which the value is
    /// `wanted` or more.
    ///
    /// When it skips steps, it may assume too early a begin for the stretch in which they end. If
    /// that stretch then seems long enough, it is in doubt and walked again.
    struct Gap {
        std::int64_t wanted{};
        std::int64_t from{};
        std::int64_t ticks{};
        std::int64_t quantum_ms{};
        std::int64_t since{never}; ///< assumed begin; never: the value is too low
        std::uint64_t
            rough_from{}; ///< the begin is assumed here or at the next round; 0: it is exact
        std::uint64_t ends{StepSums::no_key}; ///< where the stretch found ends
        std::uint64_t close_to{};             ///< up to this key no begin is assumed

        BURSAR_HD void begin(std::int64_t value) { set(value >= wanted ? from : never, 0); }
        [[nodiscard]] BURSAR_HD bool passes(const StepStretch& on) const {
            return since == never ? on.before + on.sums.high < wanted
                                  : on.before + on.sums.low >= wanted;
        }
        [[nodiscard]] BURSAR_HD StepLook look(const StepStretch& on) {
            if (passes(on))
                return StepLook::past;
            const bool may_hold =
                on.before + on.sums.low >= wanted ||
                on.sums.longest >= static_cast<std::uint64_t>(ticks) ||
                (since != never && static_cast<std::uint64_t>(since + ticks) <= on.sums.first_low);
            const bool ends_open = on.after >= wanted;
            if (may_hold || (ends_open && (on.height == 1 || close_to != 0)))
                return StepLook::into;
            if (ends_open)
                set(first_tick_from(static_cast<std::int64_t>(on.sums.last), quantum_ms),
                    on.sums.last);
            else
                set(never, 0);
            return StepLook::past;
        }
        [[nodiscard]] BURSAR_HD bool ends_by(std::uint64_t key) {
            if (since == never || static_cast<std::int64_t>(key) < since + ticks)
                return false;
            ends = key;
            return true;
        }
        [[nodiscard]] BURSAR_HD bool visit(const StepProfile::Step& step) {
            const auto at = static_cast<std::int64_t>(step.key);
            if (step.key >= close_to)
                close_to = 0;
            if (since == never) {
                if (step.value >= wanted)
                    set(first_tick_from(at, quantum_ms), 0);
            } else if (ends_by(step.key)) {
                return true;
            } else if (step.value < wanted) {
                set(never, 0);
            }
            return false;
        }
        [[nodiscard]] BURSAR_HD bool is_in_doubt() const {
            return since != never && rough_from != 0;
        }
        /// Returns the key from which to walk again.
        [[nodiscard]] BURSAR_HD std::uint64_t look_again() {
            close_to = ends;
            ends = StepSums::no_key;
            return rough_from;
        }

      private:
        BURSAR_HD void set(std::int64_t begin, std::uint64_t rough) {
            since = begin;
            rough_from = rough;
        }
    };

    /// Keeps the least value before `end`, or one that is `enough` or less.
    struct Least {
        std::int64_t end{};
        std::int64_t enough{};
        std::int64_t value{};

        BURSAR_HD void begin(std::int64_t first) { value = first; }
        [[nodiscard]] BURSAR_HD bool passes(const StepStretch& on) const {
            return on.before + on.sums.low >= value;
        }
        [[nodiscard]] BURSAR_HD StepLook look(const StepStretch& on) {
            if (passes(on))
                return StepLook::past;
            if (end != never)
                return StepLook::into;
            value = on.before + on.sums.low;
            return value <= enough ? StepLook::enough : StepLook::past;
        }
        [[nodiscard]] BURSAR_HD bool ends_by(std::uint64_t key) const {
            return static_cast<std::int64_t>(key) >= end;
        }
        [[nodiscard]] BURSAR_HD bool visit(const StepProfile::Step& step) {
            if (ends_by(step.key))
                return true;
            value = step.value < value ? step.value : value;
            return value <= enough;
        }
    };

    /// Looks for a step up.
    struct Rise {
        std::int64_t at{never};

        BURSAR_HD void begin(std::int64_t) {}
        [[nodiscard]] BURSAR_HD bool ends_by(std::uint64_t) const { return false; }
        [[nodiscard]] BURSAR_HD bool passes(const StepStretch&) const { return false; }
        [[nodiscard]] BURSAR_HD StepLook look(const StepStretch&) const { return StepLook::into; }
        [[nodiscard]] BURSAR_HD bool visit(const StepProfile::Step& step) {
            if (step.step > 0)
                at = static_cast<std::int64_t>(step.key);
            return step.step > 0;
        }
    };

    StepProfile steps_;
    std::int64_t before_{}; ///< free before the first step
    std::int64_t now_{-1};  ///< no step is at or before it
};

}} // namespace bursar::sim
