#include "policies/placement/any_placement.hpp"

#include "policies/placement/any_placement_body.hpp"

namespace bursar::inline policies {

template class AnyPlacementOf<PlacementPolicies>;

} // namespace bursar::inline policies
