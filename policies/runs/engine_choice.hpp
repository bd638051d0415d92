#pragma once

#include <cstdint>
#include <variant>

#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/plan.hpp"
#include "sim/record/place_clock.hpp"

#include "policies/rules/any_moving.hpp"
#include "policies/rules/any_tenant.hpp"
#include "policies/rules/finish_time.hpp"

namespace bursar { inline namespace policies {

/// What ranks jobs while time moves. Each has engine instances of its own: one for all orders whose
/// keys are worked out before the run, one for all whose keys move, one for all of tenants.
using OrderRule = std::variant<FixedOrder, AnyMovingRule, AnyTenantRule, FinishTimeRule>;

struct PolicyChoice;

/// What a run must know of capacity: each has engine instances of its own.
enum class CapacityKind : std::uint8_t {
    count,       ///< numbers of free GPUs
    plain_nodes, ///< numbers of free GPUs by node
    full_nodes,  ///< nodes in full: parts of GPUs, CPU and memory, locality, scores
};

/// Who decides at an instant: each has engine instances of its own.
enum class PassKind : std::uint8_t {
    arrivals,     ///< in the plan's own order; who does not fit blocks the rest; not on full nodes
    plain,        ///< in the queue's order, whenever something happens
    easy,         ///< backfill beside a reservation for the head, not on full nodes
    conservative, ///< backfill beside reservations for all
    by_order,     ///< running jobs make way for those before them in the order
    admission,    ///< in the queue's order, with victims, a reservation and rounds as they combine
};

/// A choice of policies as the engine takes it: kinds and numbers, no names. Engine instances know
/// nothing else of a choice, so that they are compiled anew only where what they run has changed.
struct EngineChoice {
    CapacityKind capacity{};
    PassKind pass{};
    OrderRule rule{}; ///< FixedOrder unless tenants, ratios or moving keys order the queue
    RunOptions options{};
    PlaceWatch watch{}; ///< which pending jobs may be waiting for a place and not for GPUs
};

/// Resolves the names of a choice for runs of `plan`.
/// Preconditions: they are in the catalogue (the scenario reader checks them), and policy_conflict
/// has nothing to say.
EngineChoice engine_choice(const Plan& plan, const PolicyChoice& choice);

/// Whom a waiting job may stop, one by one, under a choice.
VictimRule victim_rule(const PolicyChoice& choice);

PassKind pass_kind(const Plan& plan, const PolicyChoice& choice);

/// The numbers of a choice that the engine reads.
RunOptions run_options(const PolicyChoice& choice);

}} // namespace bursar::policies
