#pragma once

#include <variant>

#include "sim/engine/order/order_traits.hpp"

#include "policies/rules/any_tenant.hpp"
#include "policies/rules/finish_time.hpp"
#include "policies/rules/gittins.hpp"
#include "policies/rules/least_attained.hpp"
#include "policies/rules/shortest_remaining.hpp"
#include "policies/rules/turn_taking.hpp"

namespace bursar::inline policies {

/// What ranks jobs while time moves. Each has engine instances of its own; all orders whose keys
/// are worked out before the run share those of FixedOrder, all orders of tenants those of
/// AnyTenantRule.
using OrderRule = std::variant<FixedOrder,
                               TurnTaking,
                               ShortestRemainingRule,
                               ShortestGpuTimeRule,
                               LeastAttainedRule,
                               GittinsRule,
                               AnyTenantRule,
                               FinishTimeRule>;

} // namespace bursar::inline policies
