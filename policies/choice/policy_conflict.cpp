#include "policies/choice/policy_conflict.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "policies/allocator/registry.hpp"
#include "policies/backfill/registry.hpp"
#include "policies/broker/registry.hpp"
#include "policies/choice/policy_slots.hpp"
#include "policies/preemption/registry.hpp"
#include "policies/queue/registry.hpp"

namespace bursar { inline namespace policies {

namespace {

/// A limit on preemptions that the choice sets; empty: none.
std::string limit_given(const PolicyChoice& choice) {
    for (const OptionInfo& limit : {max_per_job_option, min_run_option, grace_option})
        if (choice.preemption_options.value(limit) != limit.fallback.values[0])
            return std::string{limit.name};
    return {};
}

std::optional<PolicyConflict> preemption_conflict(const PolicyChoice& choice) {
    const std::string preemption{preemption_of(choice)};
    if (preemption == PreemptByQuantum::name && !queue_has_keys(choice))
        return PolicyConflict{"preemption",
                              "quantum has no turns",
                              "jobs take turns by their keys, and " + choice.queue +
                                  " ranks tenants, by what they hold",
                              "use preemption: order, with rounds as leases"};
    if (preemption == PreemptByOrder::name && hands_out_anew(choice) &&
        !limit_given(choice).empty())
        return PolicyConflict{"preemption",
                              limit_given(choice) + " has no effect",
                              "the order of " + choice.queue +
                                  " alone decides at each event which jobs run",
                              "remove it, or use preemption: priority or value"};
    if (preemption == PreemptByQuantum::name && choice.quantum == Duration{})
        return PolicyConflict{"preemption",
                              "quantum has no rounds",
                              "GPUs are reallocated every round",
                              "add rounds, such as `rounds: 6 min`"};
    return std::nullopt;
}

/// Promotions that could promote no job.
std::optional<PolicyConflict> promotion_conflict(const PolicyChoice& choice) {
    const auto& given = choice.queue_options.given();
    const auto limit = given.find("starve_limit");
    if (limit == given.end() || limit->second.front() == 0)
        return std::nullopt;
    const std::string problem = "starve_limit of " + choice.queue + " has no effect";
    if (!hands_out_anew(choice))
        return PolicyConflict{
            "queue",
            problem,
            "it promotes preempted jobs, and preemption: " + std::string{preemption_of(choice)} +
                " does not go by the order of " + choice.queue,
            "remove it, or use preemption: order"};
    if (choice.queue == GittinsIndexFirst::name && !given.contains("queues"))
        return PolicyConflict{
            "queue", problem, "there is no first queue", "add queues, or remove it"};
    return std::nullopt;
}

std::optional<PolicyConflict> backfill_conflict(const PolicyChoice& choice) {
    if (choice.backfill == backfill_none)
        return std::nullopt;
    const std::string problem = choice.backfill + " has no head to reserve for";
    const std::string preemption{preemption_of(choice)};
    if (hands_out_anew(choice))
        return PolicyConflict{"backfill",
                              problem,
                              choice.queue + " preempts by " + preemption +
                                  ", which starts any job that fits",
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

/// Policies that may delay a job that has fallen back to on-demand pools, or that rely on a fixed
/// list of pools per job.
std::optional<PolicyConflict> broker_conflict(const PolicyChoice& choice) {
    if (choice.broker != SpotWithFallback::name)
        return std::nullopt;
    const std::string problem = choice.broker + " cannot promise deadlines";
    if (preemption_of(choice) != NoPreemption::name)
        return PolicyConflict{"broker",
                              problem,
                              "preemption: " + std::string{preemption_of(choice)} +
                                  " may stop jobs that run on demand to meet their deadline",
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

/// Policies that may start other jobs before one that was stopped to move.
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
        return PolicyConflict{
            "broker",
            problem,
            "with rounds, a job that is stopped to move starts at the next one only",
            "remove rounds, or use migrate: never"};
    return std::nullopt;
}

/// Whether an allocator gives jobs fractions of time, so that it needs rounds.
bool needs_rounds(std::string_view allocator) {
    bool needs = false;
    AllocatorPolicies::with(allocator, [&]<class P>(std::type_identity<P>) {
        if constexpr (requires { P::needs_rounds; })
            needs = P::needs_rounds;
    });
    return needs;
}

/// Policies that decide about jobs one by one, which an allocator does for all at once.
std::optional<PolicyConflict> allocator_conflict(const PolicyChoice& choice) {
    if (choice.allocator == allocator_none)
        return std::nullopt;
    if (needs_rounds(choice.allocator) && choice.quantum == Duration{})
        return PolicyConflict{"allocator",
                              choice.allocator + " has no rounds",
                              "it gives jobs fractions of time, which they get round by round",
                              "add rounds, such as `rounds: 6 min`"};
    if (choice.allocator_options.value(recompute_option) > 0 && choice.quantum == Duration{})
        return PolicyConflict{"allocator",
                              "recompute has no rounds",
                              "only a round comes when nothing happens",
                              "add rounds, such as `rounds: 6 min`, or remove recompute"};
    if (choice.allocator_options.value(packing_option) == 1 && choice.quantum != Duration{})
        return PolicyConflict{"allocator",
                              "packing cannot be combined with rounds",
                              "a job whose partner has ended would have half of its GPUs until the "
                              "next round",
                              "remove rounds, or packing"};
    const std::string problem = "has no effect with an allocator";
    const std::string why = choice.allocator + " decides which jobs run, and where";
    if (choice.queue != FirstComeFirstServed::name)
        return PolicyConflict{"queue", choice.queue + " " + problem, why, "remove it"};
    if (preemption_of(choice) != NoPreemption::name)
        return PolicyConflict{
            "preemption", std::string{preemption_of(choice)} + " " + problem, why, "remove it"};
    if (choice.backfill != backfill_none)
        return PolicyConflict{"backfill", choice.backfill + " " + problem, why, "remove it"};
    if (choice.broker == SpotWithFallback::name || migrates(choice.broker_options) ||
        choice.broker == broker_any)
        return PolicyConflict{"broker",
                              choice.broker + " cannot be combined with an allocator",
                              why,
                              "use owned-first, or allocator: none"};
    return std::nullopt;
}

/// Policies under which it is not known in advance which jobs start next, or which of them stop.
std::optional<PolicyConflict> staging_conflict(const PolicyChoice& choice) {
    if (choice.staging == staging_none)
        return std::nullopt;
    const std::string problem = choice.staging + " does not know the next jobs";
    const auto queue = find_policy("queue", choice.queue);
    if (choice.allocator != allocator_none)
        return PolicyConflict{"staging",
                              problem,
                              choice.allocator + " decides about all jobs at once",
                              "use allocator: none, or staging: none"};
    if (preemption_of(choice) != NoPreemption::name)
        return PolicyConflict{"staging",
                              problem,
                              "preemption: " + std::string{preemption_of(choice)} +
                                  " frees GPUs before running jobs end",
                              "use preemption: none, or staging: none"};
    if (queue && (queue->order.by != OrderBy::key || queue->order.motion != KeyMotion::fixed))
        return PolicyConflict{"staging",
                              problem,
                              "the order of " + choice.queue + " changes while jobs wait",
                              "use an order by fixed keys, such as fifo or sjf"};
    if (head_of(choice) == HeadRule::skip)
        return PolicyConflict{"staging",
                              problem,
                              "head: skip starts any job that fits, so the next in order may wait "
                              "behind all others",
                              "use head: block, or staging: none"};
    if (choice.backfill == ConservativeBackfill::name)
        return PolicyConflict{"staging",
                              problem,
                              "conservative starts jobs by their reservations, in no order",
                              "use easy, or staging: none"};
    if (choice.quantum != Duration{})
        return PolicyConflict{"staging",
                              problem,
                              "with rounds, GPUs that become free wait for the next round",
                              "remove rounds, or use staging: none"};
    return std::nullopt;
}

} // namespace

std::optional<PolicyConflict> policy_conflict(const PolicyChoice& choice) {
    if (std::optional<PolicyConflict> conflict = allocator_conflict(choice))
        return conflict;
    if (std::optional<PolicyConflict> conflict = preemption_conflict(choice))
        return conflict;
    if (std::optional<PolicyConflict> conflict = promotion_conflict(choice))
        return conflict;
    if (std::optional<PolicyConflict> conflict = backfill_conflict(choice))
        return conflict;
    if (std::optional<PolicyConflict> conflict = broker_conflict(choice))
        return conflict;
    if (std::optional<PolicyConflict> conflict = migrate_conflict(choice))
        return conflict;
    return staging_conflict(choice);
}

namespace {

using Numbers = std::vector<std::int64_t>;

std::int64_t num_words(const OptionInfo& option) {
    return std::ranges::count_if(option.choices,
                                 [](std::string_view word) { return !word.empty(); });
}

bool is_in_range(const OptionInfo& option, std::int64_t number) {
    if (option.kind == OptionKind::choice)
        return number >= 0 && number < num_words(option);
    if (option.kind == OptionKind::gpu_time_file)
        return number >= 0;
    return number >= option.min && number <= option.max;
}

bool is_valid(const OptionInfo& option, const Numbers& numbers) {
    const bool is_file = option.kind == OptionKind::gpu_time_file;
    const std::size_t most = option.is_list ? FewNumbers::max : 1;
    if (numbers.empty() || (!is_file && numbers.size() > most))
        return false;
    if (!std::ranges::all_of(numbers, [&](std::int64_t one) { return is_in_range(option, one); }))
        return false;
    Numbers different = numbers;
    std::ranges::sort(different);
    const bool has_twice = std::ranges::adjacent_find(different) != different.end();
    return is_file || (!has_twice && (option.kind == OptionKind::choice || different == numbers));
}

std::optional<std::string> flaw_in(const PolicySlot& row, const PolicySetting& setting) {
    if (setting.name.empty() && !row.unchosen.empty())
        return std::nullopt;
    const std::vector<PolicyInfo> policies = row.policies(row.name);
    const auto policy = std::ranges::find(policies, setting.name, &PolicyInfo::name);
    if (policy == policies.end())
        return "unknown " + std::string{row.name} + " \"" + setting.name + "\"";
    for (const auto& [name, numbers] : setting.options.given()) {
        const OptionInfo* option = option_of(*policy, name);
        if (option == nullptr || !is_valid(*option, numbers))
            return "option `" + name + "` of " + setting.name + " is unknown, or out of range";
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string> choice_flaw(const PolicyChoice& choice) {
    if (choice.head > HeadRule::skip || choice.sharing > Sharing::exclusive ||
        choice.quantum < Duration{})
        return "a number of its policies is out of range";
    for (const PolicySlot& row : policy_slots())
        if (std::optional<std::string> flaw = flaw_in(row, row.chosen(choice)))
            return flaw;
    if (const std::optional<PolicyConflict> conflict = policy_conflict(choice))
        return conflict->problem + " (" + conflict->why + ")";
    return std::nullopt;
}

namespace {

PolicyChoice choice_of(std::string_view queue, const Combination& combination, Duration quantum) {
    PolicyChoice choice{std::string{queue}};
    choice.backfill = combination.backfill;
    choice.preemption = combination.preemption;
    choice.quantum = quantum;
    return choice;
}

/// Which orders run under a combination.
OrdersServed orders_served(const Combination& combination, Duration quantum) {
    bool keys = true;
    bool others = true;
    for (const PolicyInfo& queue : policies_of("queue")) {
        const bool runs = !policy_conflict(choice_of(queue.name, combination, quantum));
        bool& of_kind = queue.order.by == OrderBy::key ? keys : others;
        of_kind = of_kind && runs;
    }
    if (keys)
        return others ? OrdersServed::all : OrdersServed::with_keys;
    return others ? OrdersServed::without_keys : OrdersServed::none;
}

} // namespace

std::vector<Combination> combinations() {
    std::vector<Combination> all;
    for (const PolicyInfo& backfill : policies_of("backfill")) {
        for (const PolicyInfo& preemption : policies_of("preemption")) {
            Combination row{backfill.name, preemption.name};
            const OrdersServed at_events = orders_served(row, Duration{});
            const OrdersServed at_rounds = orders_served(row, minute);
            row.orders = std::max(at_events, at_rounds);
            row.needs_rounds = at_events < at_rounds;
            all.push_back(row);
        }
    }
    return all;
}

std::vector<std::string> orders_without_keys() {
    std::vector<std::string> names;
    for (const PolicyInfo& queue : policies_of("queue")) {
        if (queue.order.by != OrderBy::key)
            names.emplace_back(queue.name);
    }
    return names;
}

}} // namespace bursar::policies
