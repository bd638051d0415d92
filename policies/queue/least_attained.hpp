#pragma once

#include <cassert>
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/units/host_device.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"

#include "policies/option.hpp"

namespace bursar {

/// Serves the job that has had the least service so far, in levels: who has had `limit` moves to
/// the next level. Inside a level running jobs keep their turn. Needs no run times.
/// Source: Nuyens and Wierman 2008 (foreground-background); Gu et al., NSDI 2019 (Tiresias), whose
/// discretised two-dimensional LAS this is.
class LeastAttainedFirst {
  public:
    static constexpr std::string_view name = "las";
    static constexpr std::string_view summary =
        "least attained service first, in levels; running jobs keep their turn";
    static constexpr std::string_view cost = "heads + log(running), one event per level change";
    static constexpr std::string_view source = "Tiresias (Gu et al., NSDI 2019)";
    static constexpr OrderTraits traits{
        .motion = KeyMotion::steps, .ties = Ties::turn, .preempts = true, .tests_at_events = true};

    static constexpr OptionInfo options[]{
        {.name = "by",
         .kind = OptionKind::choice,
         .meaning = "what counts as service: GPU time or time",
         .choices = {"gpu-time", "time"}},
        {.name = "levels",
         .kind = OptionKind::gpu_time,
         .fallback = {3'250'000, 7'200'000},
         .meaning = "the service at which each level ends, ascending",
         .is_list = true,
         .least = 1,
         .only_with = "by",
         .only_with_value = 0},
        {.name = "times",
         .kind = OptionKind::duration,
         .fallback = {3'250'000, 7'200'000},
         .meaning = "the service at which each level ends, ascending",
         .is_list = true,
         .least = 1,
         .only_with = "by",
         .only_with_value = 1},
        {.name = "wake",
         .kind = OptionKind::choice,
         .meaning = "when level changes are seen: exact, or at events only, with Tiresias' own "
                    "forecast of the next one",
         .choices = {"exact", "tiresias"}},
    };

    LeastAttainedFirst() = default;

    static LeastAttainedFirst from(const PolicyOptions& given) {
        const bool by_time = given.value(options[0]) == 1;
        return {given.list(options[by_time ? 2 : 1]), by_time, given.value(options[3]) == 1};
    }

    /// The level a job is in, from 0.
    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView& job) const {
        const std::int64_t attained = service(job);
        std::uint64_t level = 0;
        while (level < num_limits_ && attained >= limits_[level])
            ++level;
        return level;
    }

    /// Rounded up: when it has passed, the limit has been reached. For `wake: tiresias` its
    /// forecast in whole seconds, which takes time for GPU time and so comes late for gangs.
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

    /// Whether keys are read when something happens, and only then.
    [[nodiscard]] BURSAR_HD bool tests_at_events() const { return is_tiresias_; }

  private:
    LeastAttainedFirst(const std::vector<std::int64_t>& limits, bool by_time, bool is_tiresias)
        : num_limits_{limits.size()}, by_time_{by_time}, is_tiresias_{is_tiresias} {
        assert(limits.size() <= FewNumbers::most);
        for (std::size_t i = 0; i < limits.size(); ++i)
            limits_[i] = limits[i];
    }

    /// In ms, or GPU-ms.
    [[nodiscard]] BURSAR_HD std::int64_t service(const JobView& job) const {
        return by_time_ ? job.attained.count() : job.gpu_ms(job.attained);
    }

    std::int64_t limits_[FewNumbers::most]{}; ///< ms, or GPU-ms
    std::uint64_t num_limits_{};
    bool by_time_{};
    bool is_tiresias_{};
};

} // namespace bursar
