#pragma once

#include <cstdint>
#include <variant>

#include "models/units/host_device.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/plan.hpp"

namespace bursar::inline policies {

/// The GPU time left until a job's work ends; while the job runs it falls by one per ms and GPU.
struct ShortestGpuTimeRule {
    static constexpr OrderTraits traits{.motion = KeyMotion::flows, .preempts = true};

    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView& job) const {
        return static_cast<std::uint64_t>(job.gpu_ms(job.remaining));
    }
};

/// The time left until a job's work ends; while the job runs it falls by one per ms.
struct ShortestRemainingRule {
    static constexpr OrderTraits traits{.motion = KeyMotion::falls, .preempts = true};

    bool by_gpu_time{}; ///< of jobs that wait; for those that run, another rule is: while_running

    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView& job) const {
        return by_gpu_time ? ShortestGpuTimeRule{}.key(job)
                           : static_cast<std::uint64_t>(job.remaining.count());
    }

    /// The rule where running jobs give way.
    [[nodiscard]] std::variant<ShortestRemainingRule, ShortestGpuTimeRule> while_running() const {
        if (by_gpu_time)
            return ShortestGpuTimeRule{};
        return *this;
    }
};

} // namespace bursar::inline policies
