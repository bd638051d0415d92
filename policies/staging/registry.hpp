#pragma once

#include <string_view>

#include "policies/describe/policy_list.hpp"
#include "policies/staging/ahead.hpp"

namespace bursar { inline namespace policies {

/// Every kind of staging, in the order of `bursar policies`. This is the only list. Plans are
/// compiled with it.
using StagingPolicies =
    PolicyList<NoStaging, StageByExactEnds, StageByEstimates, StageByClassHistory>;

/// The staging of the policy of that name.
[[nodiscard]] inline PlanStaging staging_under(std::string_view policy,
                                               const PolicyOptions& options) {
    PlanStaging staging;
    StagingPolicies::with(policy, [&]<class Policy>(std::type_identity<Policy>) {
        if constexpr (requires { Policy::prediction; })
            staging = {Policy::jobs(options), Policy::prediction};
    });
    return staging;
}

}} // namespace bursar::policies
