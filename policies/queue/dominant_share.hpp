#pragma once

#include <string_view>

#include "policies/describe/option.hpp"
#include "policies/rules/dominant_share.hpp"

namespace bursar { inline namespace policies {

/// Serves the tenant with the least dominant share per weight; inside a tenant by submit order. A
/// tenant's dominant share is the largest of its shares of the fleet's GPUs, CPU and main memory
/// (dominant resource fairness).
/// Source: Ghodsi, Zaharia, Hindman, Konwinski, Shenker, Stoica, NSDI 2011, Algorithm 1 and section
/// 4.3 (weights).
struct DominantShare {
    static constexpr std::string_view name = "drf";
    static constexpr std::string_view summary =
        "the tenant with the smallest dominant share of GPUs, CPU and memory for its weight first";
    static constexpr std::string_view cost = "log(tenants) for each gang shape of the tenant";
    static constexpr std::string_view source = "Ghodsi et al., NSDI 2011";

    static DominantShareRule from(const PolicyOptions&) { return {}; }
};

}} // namespace bursar::policies
