#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/units/host_device.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace policies {

/// Levels of service. A job whose service reaches `limit` moves to the next level; inside a level
/// running jobs stay before waiting ones, or jobs go by submit.
class LeastAttainedRule {
  public:
    static constexpr OrderTraits traits{.motion = KeyMotion::steps,
                                        .ties = Ties::turn,
                                        .preempts = true,
                                        .tests_at_events = true,
                                        .varies = true};
    static constexpr std::size_t max_levels = 8;

    LeastAttainedRule() = default;
    /// limits: ms, or GPU-ms unless by_time; ascending, at most max_levels. is_tiresias: level
    /// changes take effect when Tiresias' simulator sees them.
    LeastAttainedRule(const std::vector<std::int64_t>& limits,
                      bool by_time,
                      bool is_tiresias,
                      Ties ties = Ties::turn)
        : num_limits_{limits.size()}, by_time_{by_time}, is_tiresias_{is_tiresias}, ties_{ties} {
        assert(limits.size() <= max_levels);
        std::copy(limits.begin(), limits.end(), limits_);
    }

    [[nodiscard]] BURSAR_HD OrderTraits own_traits() const {
        return {.motion = KeyMotion::steps,
                .ties = ties_,
                .preempts = true,
                .tests_at_events = traits.tests_at_events};
    }

    /// The level a job is in, from 0.
    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView& job) const {
        const std::int64_t attained = service(job);
        std::uint64_t level = 0;
        while (level < num_limits_ && attained >= limits_[level])
            ++level;
        return level;
    }

    /// Rounded up, so that the limit is reached by then. For `wake: tiresias`: that simulator's
    /// forecast in whole seconds, which confuses run time with GPU time and is late for gangs.
    [[nodiscard]] BURSAR_HD Duration until_key_changes(const JobView& job) const {
        const std::uint64_t level = key(job);
        if (level == num_limits_)
            return Duration{horizon_ms};
        if (is_tiresias_) {
            const std::int64_t left_s = (limits_[level] - job.attained.count()) /
                                        (by_time_ ? 1 : job.gpus) / second.count();
            return (left_s > 0 ? left_s : 1) * second;
        }
        const std::int64_t left = limits_[level] - service(job);
        return by_time_ ? Duration{left} : job.time_for(left);
    }

    /// Whether keys are read at events only.
    [[nodiscard]] BURSAR_HD bool tests_at_events() const { return is_tiresias_; }

  private:
    /// In ms, or GPU-ms.
    [[nodiscard]] BURSAR_HD std::int64_t service(const JobView& job) const {
        return by_time_ ? job.attained.count() : job.gpu_ms(job.attained);
    }

    std::int64_t limits_[max_levels]{}; ///< ms, or GPU-ms
    std::uint64_t num_limits_{};
    bool by_time_{};
    bool is_tiresias_{};
    Ties ties_{Ties::turn};
};

}} // namespace bursar::policies
