#pragma once

#include <string_view>

#include "policies/broker/pool_orders.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Runs jobs with a deadline on spot capacity while they can afford to wait for it, then on demand
/// in time for the deadline (sim/plan/broker_rules.hpp).
struct SpotWithFallback {
    static constexpr std::string_view name = "spot-with-fallback";
    static constexpr std::string_view summary =
        "owned, reserved, spot; on demand until its end once a waiting job would otherwise miss "
        "its deadline";
    static constexpr std::string_view cost = "jobs with a deadline, at most 65,535";
    static constexpr std::string_view source =
        "Wu et al. 2024 (NSDI, Can't Be Late): the safety net, and Uniform Progress";
    static constexpr std::string_view needs = "deadline";
    static constexpr OptionInfo options[]{
        {.name = "pace",
         .kind = OptionKind::choice,
         .meaning = "none: a job waits while it has time; uniform: it goes on demand when it falls "
                    "behind an even pace, and back to spot when it is ahead",
         .choices = {"none", "uniform"}},
    };

    static SpotWithFallback from(const PolicyOptions&) { return {}; }

    [[nodiscard]] static PoolOrderChanges orders(const Plan& plan, const PolicyOptions&) {
        return orders_by_price(plan, 0);
    }
    [[nodiscard]] static bool keeps_pace(const PolicyOptions& given) {
        return given.value(options[0]) == 1;
    }
};

}} // namespace bursar::policies
