#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/plan/plan.hpp"

namespace bursar { inline namespace policies {

/// Serves the job whose deadline comes first, whether it can still be met or not; jobs without one
/// come last; ties by submit order. Source: Jackson 1955; Liu and Layland 1973.
struct EarliestDeadlineFirst {
    static constexpr std::string_view name = "edf";
    static constexpr std::string_view summary =
        "earliest deadline first, jobs without one last; ties by submit order";
    static constexpr std::string_view needs = "deadline";
    static constexpr std::string_view cost = "heads: one per gang shape with waiting jobs";
    static constexpr std::string_view source = "Jackson 1955; Liu and Layland 1973";
    static constexpr OrderTraits traits{};

    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView& job) const {
        return job.deadline ? static_cast<std::uint64_t>(job.deadline->count()) : ~std::uint64_t{0};
    }
};

}} // namespace bursar::policies
