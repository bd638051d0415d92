#pragma once

#include <string_view>

#include "policies/broker/migrate.hpp"
#include "policies/broker/pool_orders.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Follows the prices of the market. It sees prices of GPU-hours, but neither the speed of a GPU
/// nor how often it is reclaimed.
struct CheapestNow {
    static constexpr std::string_view name = "cheapest-now";
    static constexpr std::string_view summary =
        "owned and reserved first, then the cheapest pool per GPU-hour where the job fits now";
    static constexpr OptionInfo options[]{
        {.name = "margin",
         .kind = OptionKind::milli,
         .fallback = {0},
         .meaning = "how much cheaper, as a share of its own price, a pool must be to pass one in "
                    "front of it",
         .max = 10'000},
        migrate_option,
        migrate_margin_option,
        migrate_every_option,
    };

    static CheapestNow from(const PolicyOptions&) { return {}; }

    [[nodiscard]] static PoolOrderChanges orders(const Plan& plan, const PolicyOptions& given) {
        return orders_by_price(plan, given.value(options[0]));
    }
};

}} // namespace bursar::policies
