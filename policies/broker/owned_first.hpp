#pragma once

#include <string_view>

#include "policies/broker/migrate.hpp"
#include "policies/broker/pool_orders.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Pools that are paid for in any case come first.
struct OwnedFirst {
    static constexpr std::string_view name = "owned-first";
    static constexpr std::string_view summary =
        "the first pool where the job fits: owned, reserved, on demand, spot; then scenario order";
    static constexpr OptionInfo options[]{
        migrate_option, migrate_margin_option, migrate_every_option};

    static OwnedFirst from(const PolicyOptions&) { return {}; }

    [[nodiscard]] static PoolOrderChanges orders(const Plan& plan, const PolicyOptions&) {
        return {{0, pools_by_purchase(plan)}};
    }
};

}} // namespace bursar::policies
