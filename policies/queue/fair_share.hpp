#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/engine/order/fraction_key.hpp"
#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/queues/tenant_use.hpp"
#include "sim/plan/plan.hpp"

#include "policies/option.hpp"

namespace bursar {

/// Serves the tenant that holds the fewest GPUs for its weight, inside a tenant by submit order; so
/// that tenants who always have jobs waiting hold GPUs in proportion to their weights (weighted
/// max-min fairness). With a half-life it is what they hold on average that counts, the past
/// included (tenant_use.hpp).
struct FairShare {
    static constexpr std::string_view name = "fair-share";
    static constexpr std::string_view summary =
        "the tenant with the fewest GPUs for its weight first; inside it by submit order";
    static constexpr std::string_view cost = "log(tenants) for each gang shape of the tenant";
    static constexpr std::string_view source =
        "Demers, Keshav and Shenker 1989 (max-min); Kay and Lauder 1988 (decayed use)";
    static constexpr OrderTraits traits{.by = OrderBy::tenants};
    static constexpr OptionInfo options[]{
        {"half_life",
         OptionKind::duration,
         {0},
         "past use counts half after this long; 0: only what is held now counts"},
        {"period",
         OptionKind::duration,
         {5 * minute.count()},
         "how often past use is brought up to date; none is where half_life is 0",
         false,
         1}};
    static constexpr bool reads_priority = false;

    UseMemory use_memory;

    static FairShare from(const PolicyOptions& given) {
        return {{given.value(options[0]), given.value(options[1])}};
    }

    [[nodiscard]] BURSAR_HD UseMemory memory() const { return use_memory; }
    [[nodiscard]] BURSAR_HD bool follows_time() const { return use_memory.half_life_ms > 0; }
    [[nodiscard]] static auto merits(const Plan&) {
        return [](const JobShape&, std::int32_t) { return std::uint64_t{0}; };
    }

    [[nodiscard]] BURSAR_HD std::uint64_t
    share(const TenantUse& use, std::uint32_t weight, const FleetTotals&) const {
        return fraction_key(use.average, weight);
    }
    [[nodiscard]] BURSAR_HD std::uint64_t
    rank(std::uint64_t share, std::uint64_t /*merit*/, std::int64_t /*age_ms*/) const {
        return share;
    }
};

} // namespace bursar
