#include "policies/policy_conflict.hpp"

#include "policies/backfill/registry.hpp"
#include "policies/broker/registry.hpp"
#include "policies/catalog.hpp"
#include "policies/preemption/registry.hpp"

namespace bursar { inline namespace policies {
namespace {

OrderTraits order_of(const PolicyChoice& choice) {
    const auto queue = find_policy("queue", choice.queue);
    return queue ? queue->order : OrderTraits{};
}

/// Whether the chosen order gives jobs keys: only then can a waiting job be said to go before a
/// running one.
bool queue_has_keys(const PolicyChoice& choice) {
    return order_of(choice).by == OrderBy::key;
}

/// Preemption that hands all GPUs out anew, in the queue's order.
bool hands_out_anew(std::string_view preemption) {
    return preemption == PreemptByOrder::name || preemption == PreemptByQuantum::name;
}

std::optional<PolicyConflict> preemption_conflict(const PolicyChoice& choice) {
    const std::string preemption{preemption_of(choice)};
    if (hands_out_anew(preemption) && !queue_has_keys(choice))
        return PolicyConflict{"preemption",
                              preemption + " has no order of running and waiting jobs",
                              choice.queue +
                                  " ranks only waiting jobs, by tenants' current use or time",
                              "remove it, or use preemption: priority or value"};
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
    if (hands_out_anew(preemption))
        return PolicyConflict{"backfill",
                              problem,
                              choice.queue + " preempts by " + preemption +
                                  ", which lets whoever fits start",
                              "remove it, or use preemption: none, priority or value"};
    if (choice.head == HeadRule::skip)
        return PolicyConflict{"backfill",
                              problem,
                              "with head: skip no job waits at the head",
                              "remove it, or set head to block"};
    if (choice.backfill == ConservativeBackfill::name && preemption != NoPreemption::name)
        return PolicyConflict{"backfill",
                              "conservative cannot be combined with preemption",
                              "it promises every waiting job a start, assuming that running jobs "
                              "are not preempted",
                              "use easy, or preemption: none"};
    if (choice.backfill == ConservativeBackfill::name && !queue_has_keys(choice))
        return PolicyConflict{"backfill",
                              "conservative has no order of promises",
                              "the order of " + choice.queue + " changes with tenants' use or time",
                              "use easy"};
    return std::nullopt;
}

/// What may put a job off that has fallen back, or goes by the pools that a job may use, which then
/// change.
std::optional<PolicyConflict> broker_conflict(const PolicyChoice& choice) {
    if (choice.broker != SpotWithFallback::name)
        return std::nullopt;
    const std::string problem = choice.broker + " cannot promise deadlines";
    if (preemption_of(choice) != NoPreemption::name)
        return PolicyConflict{"broker",
                              problem,
                              "preemption: " + std::string{preemption_of(choice)} +
                                  " may stop jobs that run on demand to their deadline",
                              "use preemption: none"};
    if (choice.backfill != backfill_none)
        return PolicyConflict{"broker",
                              problem,
                              "backfill reserves pools for jobs that may use others later",
                              "use backfill: none"};
    if (choice.quantum != Duration{})
        return PolicyConflict{"broker",
                              problem,
                              "with rounds, jobs start on demand at the next one only",
                              "remove rounds"};
    return std::nullopt;
}

/// What decides for a job that was stopped to move, before it starts where it was to go.
std::optional<PolicyConflict> migrate_conflict(const PolicyChoice& choice) {
    if (!migrates(choice.broker_options))
        return std::nullopt;
    const std::string problem = choice.broker + " cannot migrate running jobs";
    if (preemption_of(choice) != NoPreemption::name)
        return PolicyConflict{"broker",
                              problem,
                              "under preemption: " + std::string{preemption_of(choice)} +
                                  " a job that is stopped to move may preempt others",
                              "use preemption: none, or migrate: never"};
    if (choice.quantum != Duration{})
        return PolicyConflict{"broker",
                              problem,
                              "with rounds, who is stopped to move starts at the next one only",
                              "remove rounds, or use migrate: never"};
    return std::nullopt;
}

} // namespace

std::optional<PolicyConflict> policy_conflict(const PolicyChoice& choice) {
    if (std::optional<PolicyConflict> conflict = preemption_conflict(choice))
        return conflict;
    if (std::optional<PolicyConflict> conflict = backfill_conflict(choice))
        return conflict;
    if (std::optional<PolicyConflict> conflict = broker_conflict(choice))
        return conflict;
    return migrate_conflict(choice);
}

}} // namespace bursar::policies
