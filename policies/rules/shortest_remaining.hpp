#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/plan.hpp"

namespace bursar::inline policies {

/// The time left until a job's work ends; while the job runs it falls by one per ms.
struct ShortestRemainingRule {
    static constexpr OrderTraits traits{.motion = KeyMotion::falls, .preempts = true};

    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView& job) const {
        return static_cast<std::uint64_t>(job.remaining.count());
    }
};

} // namespace bursar::inline policies
