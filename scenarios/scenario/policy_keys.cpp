#include "scenarios/scenario/policy_keys.hpp"

#include <array>
#include <string_view>

#include "policies/slot_conflict.hpp"

#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/scenario/slot_rule.hpp"

namespace bursar {
namespace {

/// A slot that every policy choice has: its key and the members that its value fills.
struct Slot {
    std::string_view key;
    std::string_view help;
    std::string (*name)(const PolicyChoice&);
    void (*put)(PolicyChoice&, PolicySetting);
};

/// The slots whose members are a name and options.
template <std::string PolicyChoice::*name, PolicyOptions PolicyChoice::*options>
Slot named_slot(std::string_view key, std::string_view help) {
    return {key,
            help,
            [](const PolicyChoice& choice) { return choice.*name; },
            [](PolicyChoice& choice, PolicySetting setting) {
                choice.*name = std::move(setting.name);
                choice.*options = std::move(setting.options);
            }};
}

const std::array slots{
    named_slot<&PolicyChoice::queue, &PolicyChoice::queue_options>(
        "queue", "order in which waiting jobs are served; default fifo"),
    Slot{"head",
         "whether a job that does not fit blocks those behind it; default block",
         [](const PolicyChoice& choice) { return std::string{name_of(choice.head)}; },
         [](PolicyChoice& choice, PolicySetting setting) {
             choice.head = setting.name == head_skip ? HeadRule::skip : HeadRule::block;
         }},
    named_slot<&PolicyChoice::backfill, &PolicyChoice::backfill_options>(
        "backfill", "who may start before a head that does not fit; default none"),
    Slot{"capacity",
         "count: only numbers of free GPUs matter; nodes: placement decides; default nodes",
         [](const PolicyChoice& choice) { return choice.capacity; },
         [](PolicyChoice& choice, PolicySetting setting) {
             choice.capacity = std::move(setting.name);
         }},
    named_slot<&PolicyChoice::placement, &PolicyChoice::placement_options>(
        "placement", "which nodes a gang gets; default consolidated"),
    named_slot<&PolicyChoice::preemption, &PolicyChoice::preemption_options>(
        "preemption", "when running jobs make way; default: as the queue's order has it"),
    named_slot<&PolicyChoice::estimates, &PolicyChoice::estimates_options>(
        "estimates", "what the scheduler believes of run times; default exact"),
    named_slot<&PolicyChoice::broker, &PolicyChoice::broker_options>(
        "broker", "which pool is tried first; default owned-first"),
};

Key<PolicyChoice> slot_key(const Slot& slot, SlotRule rule) {
    return {{std::string{slot.key}, std::string{slot.help}, Presence::optional},
            [slot, rule](const Reader& at, PolicyChoice& choice) {
                if (auto setting = rule.read(at, slot.name(choice)))
                    slot.put(choice, std::move(*setting));
            },
            [rule] { return rule.schema(); }};
}

/// Slots that take each other's ground away.
void check_slots(const Reader& at, const PolicyChoice& choice, const KeysRead& keys) {
    for (const std::string_view key : {"queue", "head", "backfill", "preemption", "rounds"})
        if (!keys.good(key))
            return;
    if (const std::optional<SlotConflict> conflict = slot_conflict(choice))
        at.mistake_at(conflict->slot, conflict->problem, conflict->why, conflict->suggestion);
}

std::vector<std::string> preset_names(const KnownNames& names) {
    std::vector<std::string> presets;
    for (const PresetInfo& preset : names.presets)
        presets.emplace_back(preset.name);
    return presets;
}

} // namespace

Table<PolicyChoice> policy_keys(const KnownNames& names) {
    std::vector<Key<PolicyChoice>> keys;
    if (!names.presets.empty())
        keys.push_back(noted<PolicyChoice>("preset",
                                           Presence::optional,
                                           one_of(preset_names(names)),
                                           "habits of another simulator, where nothing else is "
                                           "written; default none"));
    for (const Slot& slot : slots)
        if (std::vector<PolicyInfo> policies = names.policies_of(slot.key); !policies.empty())
            keys.push_back(slot_key(slot, SlotRule{std::move(policies)}));
    keys.push_back(optional(
        "rounds",
        &PolicyChoice::quantum,
        duration(Zero::refused),
        "jobs start, and are told to stop, only at multiples of it; default: at any time"));
    keys.push_back(optional(
        "sharing",
        &PolicyChoice::sharing,
        ChoiceRule<Sharing>{{{"slots", Sharing::slots}, {"exclusive", Sharing::exclusive}}},
        "what a job that asks for a part of a GPU gets: that part or all of it; default slots"));
    return table<PolicyChoice>(std::move(keys)).check(check_slots);
}

} // namespace bursar
