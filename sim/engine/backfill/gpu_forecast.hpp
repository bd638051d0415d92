#pragma once

#include <cstdint>

#include "sim/arena/step_profile.hpp"

namespace bursar::inline sim {

/// How many GPUs of one thing (a pool, a node) will be free from now on, as believed: what runs
/// ends by its estimate, what was promised starts as promised.
class GpuForecast {
  public:
    static constexpr std::int64_t never = std::int64_t{1} << 62U;

    GpuForecast() = default;
    BURSAR_HD explicit GpuForecast(std::int64_t free) : before_{free} {}

    /// GPUs are taken, or, where negative, come free, from an instant on.
    BURSAR_HD void take_from(StepNodes& nodes, std::int64_t at_ms, std::int64_t gpus) {
        steps_.add(nodes, static_cast<std::uint64_t>(at_ms), -gpus);
    }

    /// GPUs are taken, or, where negative, come free, over [begin, end).
    BURSAR_HD void
    take(StepNodes& nodes, std::int64_t begin_ms, std::int64_t end_ms, std::int64_t gpus) {
        take_from(nodes, begin_ms, gpus);
        take_from(nodes, end_ms, -gpus);
    }

    /// Forgets what was before `now_ms`.
    BURSAR_HD void advance(StepNodes& nodes, std::int64_t now_ms) {
        while (!steps_.empty()) {
            const StepProfile::Step first = steps_.first_at_or_after(nodes, 0);
            if (first.key > static_cast<std::uint64_t>(now_ms))
                return;
            before_ += first.step;
            steps_.add(nodes, first.key, -first.step);
        }
    }

    /// The first instant, `from_ms` or later, from which on `gpus` are free for `held_ms` > 0.
    [[nodiscard]] BURSAR_HD std::int64_t first_fit(const StepNodes& nodes,
                                                   std::int64_t from_ms,
                                                   std::int64_t gpus,
                                                   std::int64_t held_ms) const {
        Gap gap{gpus - before_, from_ms, held_ms};
        steps_.walk(nodes, static_cast<std::uint64_t>(from_ms), gap);
        return gap.since_ms;
    }

    /// The least number free over [begin, end).
    [[nodiscard]] BURSAR_HD std::int64_t
    least_over(const StepNodes& nodes, std::int64_t begin_ms, std::int64_t end_ms) const {
        Least least{end_ms};
        steps_.walk(nodes, static_cast<std::uint64_t>(begin_ms) + 1, least);
        return before_ + least.value;
    }
    /// The first instant after another at which more is free; never if there is none.
    [[nodiscard]] BURSAR_HD std::int64_t next_rise(const StepNodes& nodes,
                                                   std::int64_t after_ms) const {
        Rise rise;
        steps_.walk(nodes, static_cast<std::uint64_t>(after_ms) + 1, rise);
        return rise.at_ms;
    }

    /// The least number free at any time from now on.
    [[nodiscard]] BURSAR_HD std::int64_t least(const StepNodes& nodes) const {
        return before_ + steps_.least_value(nodes);
    }

  private:
    /// Looks for a stretch of `held_ms` in which the value is `wanted` or more.
    struct Gap {
        std::int64_t wanted{};
        std::int64_t from_ms{};
        std::int64_t held_ms{};
        std::int64_t since_ms{never}; ///< it may begin here; never: the value is too low

        BURSAR_HD void begin(std::int64_t value) { since_ms = value >= wanted ? from_ms : never; }
        [[nodiscard]] BURSAR_HD bool skips(std::int64_t low, std::int64_t high) const {
            return since_ms == never ? high < wanted : low >= wanted;
        }
        [[nodiscard]] BURSAR_HD bool visit(const StepProfile::Step& step) {
            const auto at = static_cast<std::int64_t>(step.key);
            if (since_ms == never)
                since_ms = step.value >= wanted ? at : never;
            else if (at >= since_ms + held_ms)
                return true;
            else if (step.value < wanted)
                since_ms = never;
            return false;
        }
    };

    /// Keeps the least value before `end_ms`.
    struct Least {
        std::int64_t end_ms{};
        std::int64_t value{};

        BURSAR_HD void begin(std::int64_t first) { value = first; }
        [[nodiscard]] BURSAR_HD bool skips(std::int64_t low, std::int64_t) const {
            return low >= value;
        }
        [[nodiscard]] BURSAR_HD bool visit(const StepProfile::Step& step) {
            if (static_cast<std::int64_t>(step.key) >= end_ms)
                return true;
            value = step.value < value ? step.value : value;
            return false;
        }
    };

    /// Looks for a step up.
    struct Rise {
        std::int64_t at_ms{never};

        BURSAR_HD void begin(std::int64_t) {}
        [[nodiscard]] BURSAR_HD bool skips(std::int64_t, std::int64_t) const { return false; }
        [[nodiscard]] BURSAR_HD bool visit(const StepProfile::Step& step) {
            if (step.step > 0)
                at_ms = static_cast<std::int64_t>(step.key);
            return step.step > 0;
        }
    };

    StepProfile steps_;
    std::int64_t before_{}; ///< free before the first step
};

} // namespace bursar::inline sim
