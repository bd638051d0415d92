#include "policies/placement/any_placement.hpp"

#include "policies/placement/any_placement_body.hpp"

namespace bursar { inline namespace policies {

template class AnyPlacementOf<PlacementPolicies>;

}} // namespace bursar::policies
