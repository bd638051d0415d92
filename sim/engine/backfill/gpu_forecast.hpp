#pragma once

#include <cstdint>

#include "sim/arena/step_profile.hpp"
#include "sim/engine/backfill/promise.hpp"
#include "sim/engine/backfill/round_from.hpp"

namespace bursar::inline sim {

/// How many GPUs of one thing (a pool, a node) will be free from now on, as believed: what runs
/// ends by its estimate, what was promised starts as promised. Times are ticks (promise.hpp).
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

    /// GPUs are taken, or, where negative, come free, from a tick on.
    BURSAR_HD void take_from(StepNodes& nodes, std::int64_t tick, std::int64_t gpus) {
        if (tick <= now_)
            before_ -= gpus;
        else
            steps_.add(nodes, static_cast<std::uint64_t>(tick), -gpus);
    }

    /// GPUs are taken, or, where negative, come free, over [begin, end).
    BURSAR_HD void take(StepNodes& nodes, std::int64_t begin, std::int64_t end, std::int64_t gpus) {
        take_from(nodes, begin, gpus);
        take_from(nodes, end, -gpus);
    }

    /// It is `now`: what was before is forgotten.
    BURSAR_HD void advance(StepNodes& nodes, std::int64_t now) {
        now_ = now;
        before_ += steps_.drop_through(nodes, static_cast<std::uint64_t>(now));
    }

    /// The first round (round_from.hpp) from whose second tick on `gpus` are free for `ticks` > 0:
    /// that tick, or never. from: the second tick of a round.
    [[nodiscard]] BURSAR_HD std::int64_t first_fit(const StepNodes& nodes,
                                                   std::int64_t from,
                                                   std::int64_t gpus,
                                                   std::int64_t ticks,
                                                   std::int64_t quantum_ms) const {
        Gap gap{gpus - before_, from, ticks, quantum_ms};
        steps_.walk(nodes, static_cast<std::uint64_t>(from), gap);
        return gap.since;
    }

    /// The least number free over [begin, end).
    [[nodiscard]] BURSAR_HD std::int64_t
    least_over(const StepNodes& nodes, std::int64_t begin, std::int64_t end) const {
        Least least{end};
        steps_.walk(nodes, static_cast<std::uint64_t>(begin) + 1, least);
        return before_ + least.value;
    }
    /// The first tick after another at which more is free; never if there is none.
    [[nodiscard]] BURSAR_HD std::int64_t next_rise(const StepNodes& nodes,
                                                   std::int64_t after) const {
        Rise rise;
        steps_.walk(nodes, static_cast<std::uint64_t>(after) + 1, rise);
        return rise.at;
    }

    /// The least number free at any time from now on.
    [[nodiscard]] BURSAR_HD std::int64_t least(const StepNodes& nodes) const {
        return before_ + steps_.least_value(nodes);
    }

  private:
    /// Looks for a stretch of `ticks`, from the second tick of a round on, in which the value is
    /// `wanted` or more.
    struct Gap {
        std::int64_t wanted{};
        std::int64_t from{};
        std::int64_t ticks{};
        std::int64_t quantum_ms{};
        std::int64_t since{never}; ///< it may begin here; never: the value is too low

        BURSAR_HD void begin(std::int64_t value) { since = value >= wanted ? from : never; }
        [[nodiscard]] BURSAR_HD bool skips(std::int64_t low, std::int64_t high) const {
            return since == never ? high < wanted : low >= wanted;
        }
        [[nodiscard]] BURSAR_HD bool visit(const StepProfile::Step& step) {
            const auto at = static_cast<std::int64_t>(step.key);
            if (since == never)
                since = step.value >= wanted ? first_tick_from(at, quantum_ms) : never;
            else if (at >= since + ticks)
                return true;
            else if (step.value < wanted)
                since = never;
            return false;
        }
    };

    /// Keeps the least value before `end`.
    struct Least {
        std::int64_t end{};
        std::int64_t value{};

        BURSAR_HD void begin(std::int64_t first) { value = first; }
        [[nodiscard]] BURSAR_HD bool skips(std::int64_t low, std::int64_t) const {
            return low >= value;
        }
        [[nodiscard]] BURSAR_HD bool visit(const StepProfile::Step& step) {
            if (static_cast<std::int64_t>(step.key) >= end)
                return true;
            value = step.value < value ? step.value : value;
            return false;
        }
    };

    /// Looks for a step up.
    struct Rise {
        std::int64_t at{never};

        BURSAR_HD void begin(std::int64_t) {}
        [[nodiscard]] BURSAR_HD bool skips(std::int64_t, std::int64_t) const { return false; }
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

} // namespace bursar::inline sim
