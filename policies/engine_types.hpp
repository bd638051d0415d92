#pragma once

#include <cassert>
#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>

#include "sim/engine/backfill/count_forecast.hpp"
#include "sim/engine/backfill/count_reservation.hpp"
#include "sim/engine/backfill/node_forecast.hpp"
#include "sim/engine/backfill/node_reservation.hpp"
#include "sim/engine/capacity/count_capacity.hpp"
#include "sim/engine/capacity/node_capacity.hpp"
#include "sim/engine/capacity/scored_capacity.hpp"
#include "sim/engine/passes/conservative_pass.hpp"
#include "sim/engine/passes/easy_pass.hpp"
#include "sim/engine/passes/plain_pass.hpp"
#include "sim/engine/passes/preemptive_pass.hpp"
#include "sim/engine/passes/round_pass.hpp"
#include "sim/engine/passes/victim_pass.hpp"
#include "sim/engine/preemption/priority_line.hpp"
#include "sim/engine/preemption/value_line.hpp"
#include "sim/engine/queues/arrival_cursor.hpp"
#include "sim/engine/queues/length_queue.hpp"
#include "sim/engine/queues/promise_queue.hpp"
#include "sim/engine/queues/ranked_queue.hpp"
#include "sim/engine/queues/ratio_queue.hpp"
#include "sim/engine/queues/tenant_queue.hpp"

#include "policies/backfill/registry.hpp"
#include "policies/placement/any_placement.hpp"
#include "policies/placement/registry.hpp"
#include "policies/preemption/registry.hpp"
#include "policies/preemption/turn_taking.hpp"
#include "policies/queue/registry.hpp"
#include "policies/simulate.hpp"

namespace bursar {

/// The types that one instance of the engine is made of. QueueArgs: what its queue reads beside the
/// plan: a JobOrderView where it has an order, and the policy where keys move.
template <class PassType, class QueueType, class CapacityType>
struct EngineTypes {
    using Pass = PassType;
    using Queue = QueueType;
    using Capacity = CapacityType;
};

/// A pass that is the same on every capacity.
template <class Pass>
struct Always {
    template <class /*Capacity*/>
    using On = Pass;
};
/// EASY's pass for one way to see capacity.
template <class Capacity>
using EasyPassOn =
    EasyPass<std::conditional_t<Capacity::counts_only, CountReservation, NodeReservation>>;
/// Conservative backfilling's, likewise.
template <class Capacity>
using ConservativePassOn = ConservativePass<
    std::conditional_t<Capacity::counts_only, CountForecast, NodeForecast<Capacity>>>;

inline JobOrderView view_of(const JobOrder& order) {
    return {order.position.data(),
            order.job_at.data(),
            order.key.data(),
            order.shape_begin.data(),
            order.groups.data(),
            order.group_of.data(),
            order.tenant_begin.data(),
            static_cast<std::uint32_t>(order.groups.size())};
}

/// What a queue is made from beside the plan, as a tuple.
template <class Queue>
auto queue_args(const Plan& plan, const JobOrder& order, const PolicyChoice& choice) {
    if constexpr (std::is_same_v<Queue, ArrivalCursor>)
        return std::tuple{};
    else if constexpr (requires { typename Queue::Order; })
        return std::tuple{view_of(order),
                          with_options<typename Queue::Order>(choice.queue_options, plan)};
    else
        return std::tuple{view_of(order)};
}

template <class Queue>
using QueueArgs = decltype(queue_args<Queue>(
    std::declval<Plan>(), std::declval<JobOrder>(), std::declval<PolicyChoice>()));

/// What a run must know of capacity: each has engine instances of its own.
enum class CapacityKind : std::uint8_t {
    count,       ///< numbers of free GPUs
    plain_nodes, ///< numbers of free GPUs by node
    full_nodes,  ///< nodes in full: parts of GPUs, CPU and memory, locality, scores
};

inline CapacityKind capacity_kind(const PolicyChoice& choice, NodeDetail detail) {
    if (choice.capacity == capacity_count)
        return CapacityKind::count;
    const bool plain = detail.is_plain() && choice.broker != broker_any;
    return plain && places_by_count(choice.placement) ? CapacityKind::plain_nodes
                                                      : CapacityKind::full_nodes;
}

template <CapacityKind kind>
using CapacityOf = std::conditional_t<kind == CapacityKind::count,
                                      CountCapacity,
                                      std::conditional_t<kind == CapacityKind::plain_nodes,
                                                         NodeCapacity<AnyPlacement>,
                                                         ScoredCapacity<AnyPlacement>>>;

template <CapacityKind kind, template <class Capacity> class PassOn, class Queue, class Use>
void with_capacity_types(const Use& use) {
    using Capacity = CapacityOf<kind>;
    use(EngineTypes<PassOn<Capacity>, Queue, Capacity>{});
}

/// A pass that may have to wait for rounds.
template <CapacityKind kind, class Pass, class Queue, class Use>
void with_pass_types(const Use& use) {
    with_capacity_types<kind, Always<RoundPass<Pass>>::template On, Queue>(use);
}

/// The policy as the engine of a preemptive run reads it.
template <class Policy>
using LivePolicy =
    std::conditional_t<Policy::traits.motion == KeyMotion::fixed, FixedOrder, Policy>;

/// What preempts, for a queue policy whose jobs have keys of their own.
template <CapacityKind kind, class Policy, class Use>
void with_preemption_types(const PolicyChoice& choice, const Use& use) {
    const std::string_view preemption = preemption_of(choice);
    using Live = LivePolicy<Policy>;
    if (preemption == PreemptByPriority::name)
        with_pass_types<kind, VictimPass<PriorityLine>, LiveQueue<FixedOrder>>(use);
    else if (preemption == PreemptByValue::name)
        with_pass_types<kind, VictimPass<ValueLine<PreemptByValue>>, LiveQueue<FixedOrder>>(use);
    else if (takes_turns(choice))
        with_pass_types<kind, PreemptivePass<TurnTaking>, LiveQueue<TurnTaking>>(use);
    else if (preemption != NoPreemption::name)
        with_pass_types<kind, PreemptivePass<Live>, LiveQueue<Live>>(use);
    else if (choice.backfill == EasyBackfill::name)
        with_capacity_types<kind, EasyPassOn, LengthQueue>(use);
    else if (choice.backfill == ConservativeBackfill::name)
        with_capacity_types<kind, ConservativePassOn, PromiseQueue>(use);
    else if (choice.quantum > Duration{})
        with_pass_types<kind, PlainPass, RankedQueue>(use);
    else // the plainest runs do without even asking
        with_capacity_types<kind, Always<PlainPass>::template On, RankedQueue>(use);
}

/// Calls `use(EngineTypes<...>{})` with the instance that serves `choice` on capacity of that kind:
/// the one place that says which, for the host, the device and the tests alike.
/// Precondition: slot_conflict(choice) has nothing to say.
template <CapacityKind kind, class Use>
void with_engine_types(const PolicyChoice& choice, const Use& use) {
    if (!needs_order(choice)) {
        with_capacity_types<kind, Always<PlainPass>::template On, ArrivalCursor>(use);
        return;
    }
    [[maybe_unused]] const bool known =
        QueuePolicies::with(choice.queue, [&]<class P>(std::type_identity<P>) {
            if constexpr (orders_tenants<P>)
                with_pass_types<kind, PlainPass, TenantQueue<P>>(use);
            else if constexpr (orders_by_ratio<P>)
                with_pass_types<kind, PlainPass, RatioQueue<P>>(use);
            else
                with_preemption_types<kind, P>(choice, use);
        });
    assert(known);
}

/// The numbers of a choice that the engine reads.
inline RunOptions run_options(const PolicyChoice& choice) {
    RunOptions options;
    options.head = head_of(choice);
    options.quantum_ms = choice.quantum.count();
    options.unfinished_recovery =
        with_options<PreemptByOrder>(choice.preemption_options).unfinished_recovery;
    options.limits = limits_from(choice.preemption_options);
    if (choice.capacity != capacity_count)
        options.placement =
            placement_setting(choice.placement, choice.placement_options, choice.seed);
    options.placement.in_any_pool = choice.broker == broker_any;
    if (choice.backfill == ConservativeBackfill::name)
        options.backfill_depth = ConservativeBackfill::depth(choice.backfill_options);
    return options;
}

/// One run of `plan` under `choice`, whose capacity is of that kind; make_recorder as for run_plan.
template <CapacityKind kind, class Team, class Recorder>
Outcome run_choice_on(const Plan& plan,
                      const JobOrder& order,
                      const PolicyChoice& choice,
                      Workspace& workspace,
                      const std::function<Recorder&()>& make_recorder) {
    Outcome outcome;
    with_engine_types<kind>(choice, [&]<class Types>(Types) {
        using Pass = typename Types::Pass;
        using Queue = typename Types::Queue;
        using Capacity = typename Types::Capacity;
        outcome = std::apply(
            [&](const auto&... args) {
                return run_plan<Pass, Queue, Capacity>(
                    plan, run_options(choice), Team{}, workspace, make_recorder, args...);
            },
            queue_args<Queue>(plan, order, choice));
    });
    return outcome;
}

} // namespace bursar
