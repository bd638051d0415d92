#pragma once

#include <string_view>

#include "policies/broker/pool_orders.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Compares nodes of all pools; the order of pools does not matter.
struct AnyPool {
    static constexpr std::string_view name = "any";
    static constexpr std::string_view summary =
        "the best node of all permitted pools, by the placement; under capacity count as "
        "owned-first";

    [[nodiscard]] static PoolOrderChanges orders(const Plan& plan, const PolicyOptions&) {
        return {{0, pools_by_purchase(plan)}};
    }
};

}} // namespace bursar::policies
