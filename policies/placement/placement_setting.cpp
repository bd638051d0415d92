#include "policies/placement/placement_setting.hpp"

#include <cstring>
#include <type_traits>

#include "policies/placement/any_placement_body.hpp"
#include "policies/placement/registry.hpp"

namespace bursar { inline namespace policies {

// The engine calls every placement through these functions, compiled once.
template class AnyPlacementOf<PlacementPolicies>;

bool places_by_count(std::string_view name) {
    bool by_count = false;
    PlacementPolicies::with(
        name, [&]<class P>(std::type_identity<P>) { by_count = P::traits.rest_node; });
    return by_count;
}

PlacementSetting
placement_setting(std::string_view name, const PolicyOptions& options, std::uint64_t seed) {
    PlacementSetting setting;
    setting.policy = PlacementPolicies::number_of(name);
    PlacementPolicies::at(setting.policy, [&]<class P>(std::type_identity<P>) {
        P policy = with_options<P>(options);
        if constexpr (P::traits.seed)
            policy.seed = seed;
        std::memcpy(setting.functor, &policy, sizeof policy);
    });
    return setting;
}

}} // namespace bursar::policies
