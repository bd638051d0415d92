#pragma once

#include <string_view>
#include <type_traits>
#include <vector>

#include "policies/describe/policy_list.hpp"
#include "policies/precision/as_given.hpp"
#include "policies/precision/best_supported.hpp"
#include "policies/precision/first_supported.hpp"
#include "policies/precision/fixed_format.hpp"
#include "policies/precision/format_wish.hpp"

namespace bursar { inline namespace policies {

/// Every policy for number formats, in the order of `bursar policies`. This is the only list. Plans
/// are compiled with it.
using PrecisionPolicies = PolicyList<AsGiven,
                                     BestSupported,
                                     FirstSupported,
                                     FixedFormat<Precision::fp32>,
                                     FixedFormat<Precision::tf32>,
                                     FixedFormat<Precision::fp16>,
                                     FixedFormat<Precision::bf16>,
                                     FixedFormat<Precision::fp8>,
                                     FixedFormat<Precision::mxfp8>,
                                     FixedFormat<Precision::nvfp4>>;

/// The number format of jobs under the policy of that name. policy: of the list.
[[nodiscard]] inline Precision
format_under(std::string_view policy, const PolicyOptions& options, const FormatWish& wish) {
    Precision format = wish.given;
    PrecisionPolicies::with(policy, [&]<class Policy>(std::type_identity<Policy>) {
        format = with_options<Policy>(options).format(wish);
    });
    return format;
}

/// The formats from which the policy of that name picks one for every GPU; empty: any format.
[[nodiscard]] inline std::vector<Precision> cluster_formats(std::string_view policy,
                                                            const PolicyOptions& options) {
    std::vector<Precision> formats;
    PrecisionPolicies::with(policy, [&]<class Policy>(std::type_identity<Policy>) {
        if constexpr (requires { Policy::cluster_format; })
            formats = {Policy::cluster_format};
        else if constexpr (requires { with_options<Policy>(options).formats; })
            formats = with_options<Policy>(options).formats;
    });
    return formats;
}

}} // namespace bursar::policies
