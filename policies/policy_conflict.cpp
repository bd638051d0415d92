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
                                  " ranks only waiting jobs, by tenants' current use or time",
                              "remove it"};
    const bool picks_victims =
        preemption == PreemptByPriority::name || preemption == PreemptByValue::name;
    if (picks_victims && queue_moves(choice))
        return PolicyConflict{"preemption",
                              preemption + " cannot be combined with " + choice.queue,
                              "under " + choice.queue + " a job's rank changes while it runs",
                              "use preemption: order, or a queue such as fifo or priority"};
    if (preemption == PreemptByQuantum::name && choice.quantum == Duration{})
        return PolicyConflict{"preemption",
                              "quantum has no rounds",
                              "GPUs are reallocated every round",
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
                              choice.queue + " preempts by order at every event",
                              "remove it, or add preemption: none"};
    if (preemption != NoPreemption::name)
        return PolicyConflict{"backfill",
                              choice.backfill + " cannot be combined with preemption",
                              "reservations assume that running jobs are not preempted",
                              "remove one of them"};
    if (!queue_has_keys(choice))
        return PolicyConflict{"backfill",
                              problem,
                              "the head of " + choice.queue + " changes with tenants' use or time",
                              "remove it"};
    if (choice.quantum > Duration{})
        return PolicyConflict{"rounds",
                              "rounds cannot be combined with " + choice.backfill,
                              "reservations also start between rounds",
                              "remove one of them"};
    if (choice.head == HeadRule::skip)
        return PolicyConflict{"backfill",
                              problem,
                              "with head: skip no job waits at the head",
                              "remove it, or set head to block"};
    return std::nullopt;
}

} // namespace

std::optional<PolicyConflict> policy_conflict(const PolicyChoice& choice) {
    if (std::optional<PolicyConflict> conflict = preemption_conflict(choice))
        return conflict;
    return backfill_conflict(choice);
}

} // namespace bursar::inline policies
