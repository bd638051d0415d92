#include "policies/runs/engine_choice.hpp"

#include <cassert>
#include <variant>

#include "sim/engine/nodes/node_detail.hpp"

#include "policies/backfill/registry.hpp"
#include "policies/choice/policy_choice.hpp"
#include "policies/choice/policy_slots.hpp"
#include "policies/placement/placement_setting.hpp"
#include "policies/preemption/registry.hpp"
#include "policies/queue/registry.hpp"

namespace bursar { inline namespace policies {

namespace {

/// The most detailed capacity that a run may need.
CapacityKind capacity_known(const Plan& plan, const PolicyChoice& choice) {
    if (choice.capacity == capacity_count)
        return CapacityKind::count;
    const bool plain = detail_of(view_of(plan)).is_plain() && choice.broker != broker_any;
    return plain && places_by_count(choice.placement) ? CapacityKind::plain_nodes
                                                      : CapacityKind::full_nodes;
}

/// plain_nodes has instances for the most common runs only; full_nodes serves the rest, with the
/// same results.
CapacityKind capacity_kind(CapacityKind known, PassKind pass, bool by_key) {
    const bool is_common = by_key && (pass == PassKind::arrivals || pass == PassKind::plain ||
                                      pass == PassKind::easy || pass == PassKind::by_order);
    return known == CapacityKind::plain_nodes && !is_common ? CapacityKind::full_nodes : known;
}

/// Whether jobs take turns: fifo under preemption by quantum.
bool takes_turns(const PolicyChoice& choice) {
    return choice.queue == FirstComeFirstServed::name &&
           preemption_of(choice) == PreemptByQuantum::name;
}

OrderRule order_rule(const Plan& plan, const PolicyChoice& choice, PassKind pass) {
    if (takes_turns(choice))
        return AnyMovingRule{TurnTaking{}};
    // Keys move only while a job runs, so without stops they do not matter.
    const bool stops_some = pass == PassKind::by_order || pass == PassKind::admission ||
                            (pass == PassKind::conservative && plan.moves());
    // Constructed in place, because g++ 12 warns of unset padding when one is assigned.
    OrderRule rule;
    [[maybe_unused]] const bool known =
        QueuePolicies::with(choice.queue, [&]<class P>(std::type_identity<P>) {
            using Rule = RuleOf<P>;
            constexpr bool moves = Rule::traits.motion != KeyMotion::fixed;
            if constexpr (Rule::traits.by == OrderBy::tenants)
                rule.emplace<AnyTenantRule>(with_options<P>(choice.queue_options));
            else if constexpr (Rule::traits.by == OrderBy::ratio)
                rule.emplace<Rule>(with_options<P>(choice.queue_options, plan));
            else if constexpr (moves) {
                if (stops_some)
                    rule.emplace<AnyMovingRule>(with_options<P>(choice.queue_options));
            }
        });
    assert(known);
    return rule;
}

PlaceWatch place_watch(const PolicyChoice& choice) {
    if (choice.capacity == capacity_count)
        return PlaceWatch::nothing;
    const bool only_head =
        head_of(choice) == HeadRule::block && preemption_of(choice) == NoPreemption::name;
    return only_head ? PlaceWatch::head : PlaceWatch::all;
}

} // namespace

VictimRule victim_rule(const PolicyChoice& choice) {
    const std::string_view preemption = preemption_of(choice);
    if (preemption == PreemptByPriority::name)
        return VictimRule::priority;
    if (preemption == PreemptByOrder::name && !queue_has_keys(choice))
        return choice.queue == DominantShare::name ? VictimRule::dominant_share : VictimRule::share;
    return preemption == PreemptByValue::name ? VictimRule::value : VictimRule::none;
}

PassKind pass_kind(const Plan& plan, const PolicyChoice& choice) {
    if (choice.allocator != allocator_none)
        return PassKind::allocation;
    const bool picks_victims = victim_rule(choice) != VictimRule::none;
    if (!picks_victims && preemption_of(choice) != NoPreemption::name)
        return PassKind::by_order;
    if (choice.backfill == ConservativeBackfill::name)
        return PassKind::conservative;
    const auto queue = find_policy("queue", choice.queue);
    const OrderTraits order = queue ? queue->order : OrderTraits{};
    // A stopped job waits with another key than at its arrival.
    const bool moves = order.motion != KeyMotion::fixed && plan.moves();
    if (picks_victims || moves || choice.quantum > Duration{} || order.by == OrderBy::ratio)
        return PassKind::admission;
    const CapacityKind known = capacity_known(plan, choice);
    const bool is_full = known == CapacityKind::full_nodes;
    if (choice.backfill == EasyBackfill::name)
        return !is_full && queue_has_keys(choice) ? PassKind::easy : PassKind::admission;
    const bool as_submitted = choice.queue == FirstComeFirstServed::name &&
                              choice.head == HeadRule::block && !is_full &&
                              !plan.moves(); // a stopped job comes back out of submit order
    if (as_submitted)
        return PassKind::arrivals;
    return known == CapacityKind::count || queue_has_keys(choice) ? PassKind::plain
                                                                  : PassKind::admission;
}

RunOptions run_options(const PolicyChoice& choice) {
    RunOptions options;
    QueuePolicies::with(choice.queue, [&]<class P>(std::type_identity<P>) {
        if constexpr (requires { P::promotion(choice.queue_options); })
            options.promotion = P::promotion(choice.queue_options);
    });
    options.head = head_of(choice);
    options.quantum_ms = choice.quantum.count();
    options.unfinished_recovery =
        with_options<PreemptByOrder>(choice.preemption_options).unfinished_recovery;
    options.victims = victim_rule(choice);
    options.stops_attempts =
        preemption_of(choice) != NoPreemption::name || choice.allocator != allocator_none;
    const std::optional<PolicyInfo> allocator = find_policy("allocator", choice.allocator);
    options.resizes = allocator && allocator->resizes;
    options.reserves_for_head = choice.backfill == EasyBackfill::name;
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
    return {capacity_kind(capacity_known(plan, choice), pass, queue_has_keys(choice)),
            pass,
            order_rule(plan, choice, pass),
            run_options(choice),
            place_watch(choice)};
}

}} // namespace bursar::policies
