#pragma once

#include <variant>

#include "sim/engine/order/order_traits.hpp"

#include "policies/rules/any_moving.hpp"
#include "policies/rules/any_tenant.hpp"
#include "policies/rules/finish_time.hpp"

namespace bursar { inline namespace policies {

/// What ranks jobs while time moves. Each has engine instances of its own: one for all orders whose
/// keys are worked out before the run, one for all whose keys move, one for all of tenants.
using OrderRule = std::variant<FixedOrder, AnyMovingRule, AnyTenantRule, FinishTimeRule>;

}} // namespace bursar::policies
