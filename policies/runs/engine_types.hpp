#pragma once

#include <cassert>
#include <functional>
#include <type_traits>
#include <variant>

#include "sim/engine/backfill/count_forecast.hpp"
#include "sim/engine/backfill/count_reservation.hpp"
#include "sim/engine/backfill/node_forecast.hpp"
#include "sim/engine/backfill/node_reservation.hpp"
#include "sim/engine/capacity/count_capacity.hpp"
#include "sim/engine/capacity/node_capacity.hpp"
#include "sim/engine/capacity/scored_capacity.hpp"
#include "sim/engine/passes/admission_pass.hpp"
#include "sim/engine/passes/conservative_pass.hpp"
#include "sim/engine/passes/easy_pass.hpp"
#include "sim/engine/passes/plain_pass.hpp"
#include "sim/engine/passes/preemptive_pass.hpp"
#include "sim/engine/passes/round_pass.hpp"
#include "sim/engine/preemption/any_victims.hpp"
#include "sim/engine/queues/arrival_cursor.hpp"
#include "sim/engine/queues/length_queue.hpp"
#include "sim/engine/queues/moving_queue.hpp"
#include "sim/engine/queues/promise_queue.hpp"
#include "sim/engine/queues/ranked_queue.hpp"
#include "sim/engine/queues/ratio_queue.hpp"
#include "sim/engine/queues/tenant_queue.hpp"
#include "sim/engine/run.hpp"
#include "sim/plan/job_order.hpp"

#ifndef __CUDACC__ // allocators decide on the host
#include "sim/engine/passes/allocation_pass.hpp"
#endif

#include "policies/placement/any_placement.hpp"
#include "policies/rules/held_share.hpp"
#include "policies/rules/value_trade.hpp"
#include "policies/runs/engine_choice.hpp"

namespace bursar { inline namespace policies {

/// The types of one instance of the engine.
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
/// EASY's pass for a kind of capacity.
template <class Capacity>
using EasyPassOn =
    EasyPass<std::conditional_t<Capacity::counts_only, CountReservation, NodeReservation>>;
/// The pass of conservative backfilling for a kind of capacity.
template <class Capacity>
using ConservativePassOn = ConservativePass<
    std::conditional_t<Capacity::counts_only, CountForecast, NodeForecast<Capacity>>>;

/// The rule of a queue whose ranks may move, in a run by `order`. A FixedOrder becomes the
/// AnyMovingRule whose keys are fixed.
template <class Order>
BURSAR_HD Order order_of(const OrderRule& rule, [[maybe_unused]] const JobOrderView& order) {
    if constexpr (std::is_same_v<Order, AnyMovingRule>) {
        if (std::holds_alternative<FixedOrder>(rule))
            return AnyMovingRule{FixedOrder{}};
        AnyMovingRule moving = *std::get_if<AnyMovingRule>(&rule);
        moving.read_levels(order);
        return moving;
    } else {
        return *std::get_if<Order>(&rule); // std::get may throw, which device code cannot
    }
}

/// Calls `use` with a queue's constructor arguments after the plan: the order of jobs if it has
/// one, and the rule if ranks move. For host and device.
template <class Queue, class Use>
BURSAR_HD decltype(auto)
with_queue_args(const JobOrderView& order, const OrderRule& rule, const Use& use) {
    if constexpr (std::is_same_v<Queue, ArrivalCursor>)
        return use();
    else if constexpr (requires { typename Queue::Order; })
        return use(order, order_of<typename Queue::Order>(rule, order));
    else
        return use(order);
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

/// A pass with optional rounds.
template <CapacityKind kind, class Pass, class Queue, class Use>
void with_pass_types(const Use& use) {
    with_capacity_types<kind, Always<RoundPass<Pass>>::template On, Queue>(use);
}

/// The pass that combines victims, reservations and rounds.
template <CapacityKind kind, class Queue, class Use>
void with_admission_types(const Use& use) {
    using Capacity = CapacityOf<kind>;
    using Reservation =
        std::conditional_t<Capacity::counts_only, CountReservation, NodeReservation>;
    using Pass = AdmissionPass<sim::EasyBackfill<Reservation>, AnyVictims<ValueTrade, HeldShare>>;
    with_pass_types<kind, Pass, Queue>(use);
}

/// Conservative backfilling, whether keys move or not.
template <CapacityKind kind, class Use>
void with_conservative_types(const Use& use) {
    if constexpr (kind != CapacityKind::plain_nodes)
        with_capacity_types<kind, ConservativePassOn, PromiseQueue<AnyMovingRule>>(use);
    else
        assert(false); // conservative backfilling runs on nodes in full
}

/// For queues of fixed keys.
template <CapacityKind kind, class Use>
void with_fixed_types(PassKind pass, const Use& use) {
    switch (pass) {
    case PassKind::arrivals:
        if constexpr (kind != CapacityKind::full_nodes)
            return with_capacity_types<kind, Always<PlainPass>::template On, ArrivalCursor>(use);
        break;
    case PassKind::plain:
        return with_capacity_types<kind, Always<PlainPass>::template On, RankedQueue>(use);
    case PassKind::easy:
        if constexpr (kind != CapacityKind::full_nodes)
            return with_capacity_types<kind, EasyPassOn, LengthQueue>(use);
        break;
    case PassKind::conservative:
        return with_conservative_types<kind>(use);
    case PassKind::by_order:
        return with_pass_types<kind, PreemptivePass<FixedOrder>, LiveQueue<FixedOrder>>(use);
    case PassKind::admission:
        if constexpr (kind != CapacityKind::plain_nodes)
            return with_admission_types<kind, LengthQueue>(use);
        break;
    case PassKind::allocation:
#ifndef __CUDACC__
        if constexpr (kind != CapacityKind::plain_nodes)
            return with_pass_types<kind, AllocationPass, LengthQueue>(use);
#endif
        break;
    }
    assert(false); // engine_choice names no others
}

/// For queues of moving keys, which matter only if jobs are stopped.
template <CapacityKind kind, class Rule, class Use>
void with_moving_types(PassKind pass, const Use& use) {
    if constexpr (kind != CapacityKind::plain_nodes) {
        if (pass == PassKind::admission)
            return with_admission_types<kind, MovingQueue<Rule>>(use);
    }
    if (pass == PassKind::conservative)
        return with_conservative_types<kind>(use);
    with_pass_types<kind, PreemptivePass<Rule>, LiveQueue<Rule>>(use);
}

/// Calls `use(EngineTypes<...>{})` with the instance that serves `choice` on capacity of that kind:
/// the only place that decides this, for host, device and tests.
template <CapacityKind kind, class Use>
void with_engine_types(const EngineChoice& choice, const Use& use) {
    std::visit(
        [&]<class Rule>(const Rule&) {
            if constexpr (std::is_same_v<Rule, FixedOrder>) {
                with_fixed_types<kind>(choice.pass, use);
            } else if constexpr (Rule::traits.by == OrderBy::key) {
                with_moving_types<kind, Rule>(choice.pass, use);
            } else if constexpr (kind == CapacityKind::count &&
                                 Rule::traits.by == OrderBy::tenants) {
                if (choice.pass == PassKind::plain)
                    with_capacity_types<kind, Always<PlainPass>::template On, TenantQueue<Rule>>(
                        use);
                else
                    with_admission_types<kind, TenantQueue<Rule>>(use);
            } else if constexpr (kind != CapacityKind::plain_nodes) {
                if constexpr (Rule::traits.by == OrderBy::tenants)
                    with_admission_types<kind, TenantQueue<Rule>>(use);
                else
                    with_admission_types<kind, RatioQueue<Rule>>(use);
            }
        },
        choice.rule);
}

/// One run of `plan` by the engine of these types; make_recorder as for run_plan.
template <class Types, class Recorder>
Outcome run_types(const Plan& plan,
                  const JobOrder& order,
                  const EngineChoice& choice,
                  Workspace& workspace,
                  const std::function<Recorder&()>& make_recorder) {
    using Queue = typename Types::Queue;
    return with_queue_args<Queue>(
        view_of(order, choice.options), choice.rule, [&](const auto&... args) {
            return run_plan<typename Types::Pass, Queue, typename Types::Capacity>(
                plan, choice.options, workspace, make_recorder, args...);
        });
}

/// The same with the instance for `choice` and this kind of capacity.
template <CapacityKind kind, class Recorder>
Outcome run_choice_on(const Plan& plan,
                      const JobOrder& order,
                      const EngineChoice& choice,
                      Workspace& workspace,
                      const std::function<Recorder&()>& make_recorder) {
    Outcome outcome;
    with_engine_types<kind>(choice, [&]<class Types>(Types) {
        outcome = run_types<Types, Recorder>(plan, order, choice, workspace, make_recorder);
    });
    return outcome;
}

}} // namespace bursar::policies
