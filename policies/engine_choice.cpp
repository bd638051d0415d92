#include "policies/engine_choice.hpp"

#include <cassert>
#include <variant>

#include "sim/engine/nodes/node_detail.hpp"

#include "policies/backfill/registry.hpp"
#include "policies/placement/placement_setting.hpp"
#include "policies/policy_choice.hpp"
#include "policies/preemption/registry.hpp"
#include "policies/queue/registry.hpp"

namespace bursar::inline policies {
namespace {

CapacityKind capacity_kind(const PolicyChoice& choice, NodeDetail detail) {
    if (choice.capacity == capacity_count)
        return CapacityKind::count;
    const bool plain = detail.is_plain() && choice.broker != broker_any;
    return plain && places_by_count(choice.placement) ? CapacityKind::plain_nodes
                                                      : CapacityKind::full_nodes;
}

/// fifo under preemption by quantum serves jobs by turns.
bool takes_turns(const PolicyChoice& choice) {
    return choice.queue == FirstComeFirstServed::name &&
           preemption_of(choice) == PreemptByQuantum::name;
}

OrderRule order_rule(const Plan& plan, const PolicyChoice& choice, PassKind pass) {
    if (takes_turns(choice))
        return AnyMovingRule{TurnTaking{}};
    OrderRule rule;
    [[maybe_unused]] const bool known =
        QueuePolicies::with(choice.queue, [&]<class P>(std::type_identity<P>) {
            using Rule = RuleOf<P>;
            // Keys that move do so for running jobs; where nobody is stopped they hold.
            constexpr bool moves = Rule::traits.motion != KeyMotion::fixed;
            if constexpr (Rule::traits.by == OrderBy::tenants)
                rule = AnyTenantRule{with_options<P>(choice.queue_options)};
            else if constexpr (Rule::traits.by == OrderBy::ratio)
                rule = with_options<P>(choice.queue_options, plan);
            else if constexpr (moves) {
                if (pass == PassKind::by_order)
                    rule = AnyMovingRule{with_options<P>(choice.queue_options, plan)};
            }
        });
    assert(known);
    return rule;
}

PlaceWatch place_watch(const PolicyChoice& choice) {
    if (choice.capacity == capacity_count)
        return PlaceWatch::nothing;
    const bool only_head =
        choice.head == HeadRule::block && preemption_of(choice) == NoPreemption::name;
    return only_head ? PlaceWatch::head : PlaceWatch::all;
}

} // namespace

PassKind pass_kind(const Plan& plan, const PolicyChoice& choice) {
    const std::string_view preemption = preemption_of(choice);
    if (preemption == PreemptByPriority::name)
        return PassKind::by_priority;
    if (preemption == PreemptByValue::name)
        return PassKind::by_value;
    if (preemption != NoPreemption::name)
        return PassKind::by_order;
    if (choice.backfill == EasyBackfill::name)
        return PassKind::easy;
    if (choice.backfill == ConservativeBackfill::name)
        return PassKind::conservative;
    if (choice.quantum > Duration{})
        return PassKind::rounds;
    const bool as_submitted = choice.queue == FirstComeFirstServed::name &&
                              choice.head == HeadRule::block &&
                              plan.world.empty(); // whoever is stopped comes back out of turn
    return as_submitted ? PassKind::arrivals : PassKind::plain;
}

RunOptions run_options(const PolicyChoice& choice) {
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

EngineChoice engine_choice(const Plan& plan, const PolicyChoice& choice) {
    const PassKind pass = pass_kind(plan, choice);
    return {capacity_kind(choice, detail_of(view_of(plan))),
            pass,
            order_rule(plan, choice, pass),
            run_options(choice),
            place_watch(choice)};
}

} // namespace bursar::inline policies
