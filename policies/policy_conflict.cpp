#include "policies/policy_conflict.hpp"

#include "policies/catalog.hpp"
#include "policies/preemption/registry.hpp"

namespace bursar::inline policies {
namespace {

OrderTraits order_of(const PolicyChoice& choice) {
    const auto queue = find_policy("queue", choice.queue);
    return queue ? queue->order : OrderTraits{};
}

/// Whether the chosen order gives jobs keys: only then can a waiting job be said to go before a
/// running one, and be sure to keep its place while it waits.
bool queue_has_keys(const PolicyChoice& choice) {
    return order_of(choice).by == OrderBy::key;
}

/// Whether a job's key changes while it runs.
bool queue_moves(const PolicyChoice& choice) {
    return order_of(choice).motion != KeyMotion::fixed;
}

std::optional<PolicyConflict> preemption_conflict(const PolicyChoice& choice) {
    const std::string preemption{preemption_of(choice)};
    if (preemption == NoPreemption::name)
        return std::nullopt;
    if (!queue_has_keys(choice))
        return PolicyConflict{"preemption",
                              preemption + " has no order of running and waiting jobs",
                              choice.queue +
                                  " ranks waiting jobs only, anew as tenants' use or time "
                                  "goes on",
                              "leave it out"};
    const bool picks_victims =
        preemption == PreemptByPriority::name || preemption == PreemptByValue::name;
    if (picks_victims && queue_moves(choice))
        return PolicyConflict{"preemption",
                              preemption + " does not go with " + choice.queue,
                              "under " + choice.queue + " a job's place changes while it runs",
                              "use preemption: order, or a queue such as fifo or priority"};
    if (preemption == PreemptByQuantum::name && choice.quantum == Duration{})
        return PolicyConflict{"preemption",
                              "quantum has no rounds",
                              "GPUs are handed out again at every round",
                              "add rounds, such as `rounds: 6 min`"};
    return std::nullopt;
}

std::optional<PolicyConflict> backfill_conflict(const PolicyChoice& choice) {
    if (choice.backfill == backfill_none)
        return std::nullopt;
    const std::string problem = choice.backfill + " has no head to reserve for";
    const std::string preemption{preemption_of(choice)};
    if (preemption == PreemptByOrder::name)
        return PolicyConflict{"backfill",
                              problem,
                              choice.queue + " gives GPUs out anew at every event, preempting by "
                                             "order",
                              "leave it out, or add preemption: none"};
    if (preemption != NoPreemption::name)
        return PolicyConflict{"backfill",
                              choice.backfill + " cannot stand beside preemption",
                              "reservations count on running jobs to go on",
                              "leave one of them out"};
    if (!queue_has_keys(choice))
        return PolicyConflict{"backfill",
                              problem,
                              choice.queue + " has another head as tenants' use or time goes on",
                              "leave it out"};
    if (choice.quantum > Duration{})
        return PolicyConflict{"rounds",
                              "no rounds beside " + choice.backfill,
                              "reservations are for instants between rounds as well",
                              "leave one of them out"};
    if (choice.head == HeadRule::skip)
        return PolicyConflict{"backfill",
                              problem,
                              "under head skip nothing waits at the head",
                              "leave it out, or set head to block"};
    return std::nullopt;
}

} // namespace

std::optional<PolicyConflict> policy_conflict(const PolicyChoice& choice) {
    if (std::optional<PolicyConflict> conflict = preemption_conflict(choice))
        return conflict;
    return backfill_conflict(choice);
}

} // namespace bursar::inline policies
