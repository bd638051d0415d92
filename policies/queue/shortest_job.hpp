#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/plan.hpp"

namespace bursar { inline namespace policies {

/// Serves the job with the shortest estimated run time; ties by submit order.
/// Never preempts. Source: Smith 1956; Conway, Maxwell and Miller 1967, "Theory of Scheduling".
struct ShortestJobFirst {
    static constexpr std::string_view name = "sjf";
    static constexpr bool needs_run_times = true;
    static constexpr std::string_view summary =
        "shortest estimated run time first; ties by submit order";
    static constexpr std::string_view cost = "heads: one per gang shape with waiting jobs";
    static constexpr std::string_view source = "Smith 1956; Conway, Maxwell and Miller 1967";
    static constexpr OrderTraits traits{};

    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView& job) const {
        return static_cast<std::uint64_t>(job.run_time.count());
    }
};

}} // namespace bursar::policies
