#include "scenarios/scenario/policy/policy_keys.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "policies/choice/policy_conflict.hpp"
#include "policies/choice/policy_slots.hpp"

#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/scenario/policy/policy_slot_rule.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// What a scenario's author reads of a policy slot.
std::string help_of(const PolicySlot& row) {
    const std::string usual = row.chosen({}).name;
    return fmt::format(
        "{}; default{}", row.help, usual.empty() ? fmt::format(": {}", row.unchosen) : " " + usual);
}

Key<PolicyChoice> key_of(const PolicySlot& row, PolicySlotRule rule) {
    return {{std::string{row.name}, help_of(row), Presence::optional},
            [row, rule](const Reader& at, PolicyChoice& choice) {
                if (auto setting = rule.read(at, row.chosen(choice).name))
                    row.choose(choice, std::move(*setting));
            },
            [rule] { return rule.schema(); }};
}

/// Policies that take each other's ground away.
void check_together(const Reader& at, const PolicyChoice& choice, const KeysRead& keys) {
    for (const std::string_view key :
         {"queue", "head", "backfill", "preemption", "broker", "rounds"})
        if (!keys.good(key))
            return;
    if (const std::optional<PolicyConflict> conflict = policy_conflict(choice))
        at.mistake_at(
            conflict->policy_slot, conflict->problem, conflict->why, conflict->suggestion);
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
        keys.push_back(
            noted<PolicyChoice>("preset",
                                Presence::optional,
                                one_of(preset_names(names)),
                                "settings of another simulator, where the scenario gives "
                                "none; default none"));
    for (const PolicySlot& row : policy_slots())
        if (std::vector<PolicyInfo> policies = names.policies_of(row.name); !policies.empty())
            keys.push_back(key_of(row, PolicySlotRule{std::move(policies)}));
    keys.push_back(
        optional("rounds",
                 &PolicyChoice::quantum,
                 duration(Zero::refused),
                 "jobs start and are preempted only at multiples of it; default: at any time"));
    keys.push_back(optional(
        "sharing",
        &PolicyChoice::sharing,
        ChoiceRule<Sharing>{{{"slots", Sharing::slots}, {"exclusive", Sharing::exclusive}}},
        "slots: a job that requests a part of a GPU gets that part; exclusive: all of it; default "
        "slots"));
    return table<PolicyChoice>(std::move(keys)).check(check_together);
}

}} // namespace bursar::scenarios
