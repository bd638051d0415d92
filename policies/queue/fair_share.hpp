#pragma once

#include <string_view>

#include "models/units/units.hpp"

#include "policies/describe/option.hpp"
#include "policies/rules/fair_share.hpp"

namespace bursar { inline namespace policies {

/// Serves the tenant that holds the fewest GPUs per weight; inside a tenant by submit order.
/// Tenants that always have waiting jobs then hold GPUs in proportion to their weights (weighted
/// max-min fairness). With a half-life, the decayed average of held GPUs counts instead
/// (tenant_use.hpp).
struct FairShare {
    static constexpr std::string_view name = "fair-share";
    static constexpr std::string_view summary =
        "the tenant with the fewest GPUs for its weight first; within it by submit order";
    static constexpr std::string_view cost = "log(tenants) for each gang shape of the tenant";
    static constexpr std::string_view source =
        "Demers, Keshav and Shenker 1989 (max-min); Kay and Lauder 1988 (decayed use)";
    static constexpr OptionInfo options[]{
        {"half_life",
         OptionKind::duration,
         {0},
         "half-life of past use; 0: only GPUs held now count"},
        {"period",
         OptionKind::duration,
         {5 * minute.count()},
         "how often past use is updated; unused where half_life is 0",
         false,
         1}};

    static FairShareRule from(const PolicyOptions& given) {
        return {{given.value(options[0]), given.value(options[1])}};
    }
};

}} // namespace bursar::policies
