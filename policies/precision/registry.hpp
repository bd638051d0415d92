#pragma once

#include <optional>
#include <string_view>

#include "policies/policy_list.hpp"
#include "policies/precision/as_given.hpp"
#include "policies/precision/best_supported.hpp"
#include "policies/precision/fixed_format.hpp"
#include "policies/precision/format_wish.hpp"

namespace bursar::inline policies {

/// Every way to choose the number format of jobs, in the order in which they are listed: the only
/// list. Plans are compiled with it.
using PrecisionPolicies = PolicyList<AsGiven,
                                     BestSupported,
                                     FixedFormat<Precision::fp32>,
                                     FixedFormat<Precision::tf32>,
                                     FixedFormat<Precision::fp16>,
                                     FixedFormat<Precision::bf16>,
                                     FixedFormat<Precision::fp8>>;

/// What jobs multiply in under the policy of that name. policy: of the list.
[[nodiscard]] inline Precision format_under(std::string_view policy, const FormatWish& wish) {
    Precision format = wish.given;
    PrecisionPolicies::with(
        policy, [&]<class Policy>(std::type_identity<Policy>) { format = Policy::format(wish); });
    return format;
}

/// The one format that the policy of that name gives a cluster; absent: it gives no one format.
[[nodiscard]] inline std::optional<Precision> cluster_format(std::string_view policy) {
    std::optional<Precision> format;
    PrecisionPolicies::with(policy, [&]<class Policy>(std::type_identity<Policy>) {
        if constexpr (requires { Policy::cluster_format; })
            format = Policy::cluster_format;
    });
    return format;
}

} // namespace bursar::inline policies
