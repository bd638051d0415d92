#pragma once

#include <variant>

#include "sim/engine/order/order_traits.hpp"

#include "policies/rules/dominant_share.hpp"
#include "policies/rules/fair_share.hpp"
#include "policies/rules/finish_time.hpp"
#include "policies/rules/gittins.hpp"
#include "policies/rules/least_attained.hpp"
#include "policies/rules/multifactor.hpp"
#include "policies/rules/shortest_remaining.hpp"
#include "policies/rules/turn_taking.hpp"

namespace bursar::inline policies {

/// What ranks jobs while time moves. Each has engine instances of its own; all orders whose keys
/// are worked out before the run share those of FixedOrder.
using OrderRule = std::variant<FixedOrder,
                               TurnTaking,
                               ShortestRemainingRule,
                               ShortestGpuTimeRule,
                               LeastAttainedRule,
                               GittinsRule,
                               FairShareRule,
                               DominantShareRule,
                               MultifactorRule,
                               FinishTimeRule>;

} // namespace bursar::inline policies
