#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/plan.hpp"

namespace bursar { inline namespace policies {

/// The run time left of a job, which falls by one per ms while the job runs, down to 0; or its GPU
/// time left, which falls by one per ms and GPU.
struct ShortestRemainingRule {
    static constexpr OrderTraits traits{
        .motion = KeyMotion::falls, .preempts = true, .varies = true};

    bool by_gpu_time{};

    [[nodiscard]] BURSAR_HD OrderTraits own_traits() const {
        return {.motion = by_gpu_time ? KeyMotion::flows : KeyMotion::falls, .preempts = true};
    }

    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView& job) const {
        return static_cast<std::uint64_t>(by_gpu_time ? job.gpu_ms(job.remaining)
                                                      : job.remaining.count());
    }
};

}} // namespace bursar::policies
