#pragma once

#include <string_view>

#include "policies/broker/cheapest_now.hpp"
#include "policies/broker/cost_of_work.hpp"
#include "policies/broker/migrate.hpp"
#include "policies/broker/pool_orders.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Orders pools by the cost of an hour of kept work, not of a GPU-hour. It knows how often a pool
/// interrupts a gang, from long-run rates (Plan::gang_risks).
struct CheapestIncludingRisk {
    static constexpr std::string_view name = "cheapest-including-risk";
    static constexpr std::string_view summary =
        "owned and reserved first, then the pool where the job fits and an hour of kept work costs "
        "least now: price, speed, saves, restarts, lost work, egress";
    static constexpr std::string_view source = "Daly 2006 (the time that kept work takes)";
    static constexpr OptionInfo options[]{
        CheapestNow::options[0], migrate_option, migrate_margin_option, migrate_every_option};

    static CheapestIncludingRisk from(const PolicyOptions&) { return {}; }

    [[nodiscard]] static PoolOrderChanges
    orders(const Plan& plan, const PolicyOptions& given, const JobKind& kind) {
        return orders_by_price(plan, given.value(options[0]), costs_of_work(plan, kind));
    }
};

}} // namespace bursar::policies
