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

/// The rule that ranks jobs during a run. Each kind has separate engine instances: fixed keys,
/// keys that move, orders of tenants, ratios.
using OrderRule = std::variant<FixedOrder, AnyMovingRule, AnyTenantRule, FinishTimeRule>;

struct PolicyChoice;

/// What a run needs to know about capacity. Each has separate engine instances.
enum class CapacityKind : std::uint8_t {
    count,       ///< numbers of free GPUs
    plain_nodes, ///< numbers of free GPUs by node
    full_nodes,  ///< nodes in full: parts of GPUs, CPU and memory, locality, scores
};

/// The pass that starts and stops jobs at an instant. Each has separate engine instances.
enum class PassKind : std::uint8_t {
    arrivals,     ///< in the plan's own order; a job that does not fit blocks the rest; not on full
                  ///< nodes
    plain,        ///< in the queue's order, at every event
    easy,         ///< backfill beside a reservation for the head, not on full nodes
    conservative, ///< backfill beside reservations for all
    by_order,     ///< running jobs are preempted by those before them in the order
    admission,  ///< in the queue's order, with victims, a reservation or rounds, in any combination
    allocation, ///< as an allocator decides for all jobs at once; on the host only
};

/// A choice of policies for the engine: kinds and numbers, no names. Engine instances include
/// nothing else of a choice, so a changed text does not recompile them.
struct EngineChoice {
    CapacityKind capacity{};
    PassKind pass{};
    OrderRule rule{}; ///< FixedOrder unless tenants, ratios or moving keys order the queue
    RunOptions options{};
    PlaceWatch watch{}; ///< which waiting jobs may count as waiting for a place
};

/// Resolves the names of a choice for runs of `plan`.
/// Preconditions: they are in the catalogue (the scenario reader checks them), and policy_conflict
/// finds none.
EngineChoice engine_choice(const Plan& plan, const PolicyChoice& choice);

/// How a choice picks single victims for a waiting job.
VictimRule victim_rule(const PolicyChoice& choice);

PassKind pass_kind(const Plan& plan, const PolicyChoice& choice);

/// The numbers of a choice that the engine reads.
RunOptions run_options(const PolicyChoice& choice);

}} // namespace bursar::policies
