#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/plan.hpp"

namespace bursar { inline namespace policies {

/// Serves the job of the highest priority, from its class or the trace; ties by submit order.
/// Source: Cobham 1954, "Priority assignment in waiting line problems".
struct HighestPriorityFirst {
    static constexpr std::string_view name = "priority";
    static constexpr std::string_view summary = "highest priority first; ties by submit order";
    static constexpr std::string_view needs = "priority";
    static constexpr std::string_view cost = "heads: one per gang shape with waiting jobs";
    static constexpr std::string_view source = "Cobham 1954";
    static constexpr OrderTraits traits{};

    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView& job) const {
        return static_cast<std::uint64_t>(std::int64_t{std::numeric_limits<std::int32_t>::max()} -
                                          job.priority);
    }
};

}} // namespace bursar::policies
