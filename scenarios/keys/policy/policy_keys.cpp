#include "scenarios/keys/policy/policy_keys.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "policies/choice/policy_conflict.hpp"
#include "policies/choice/policy_slots.hpp"
#include "policies/describe/option.hpp"
#include "policies/describe/policy_list.hpp"

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/keys/policy/option_rule.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/reader.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/scenario/policy_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The value of a policy slot: a name, or a mapping of `name` and the options that the policy of
/// that name has. Without `name` the options are those of the default policy.
class PolicySlotRule {
  public:
    /// policies: of the policy slot; at least one.
    explicit PolicySlotRule(std::vector<PolicyInfo> policies) : policies_{std::move(policies)} {}

    /// usual: the policy of a mapping without `name`.
    [[nodiscard]] std::optional<PolicySetting> read(const Reader& at, std::string_view usual) const;
    [[nodiscard]] Schema schema() const;

  private:
    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] const PolicyInfo* find(std::string_view name) const;
    void read_option(const Reader& at,
                     const Pair& pair,
                     const PolicyInfo& policy,
                     PolicyOptions& options) const;
    void refuse_option(const Reader& at,
                       std::string_view name,
                       const PolicyInfo& policy,
                       bool named) const;
    [[nodiscard]] Schema mapping_schema(const PolicyInfo& policy) const;
    [[nodiscard]] Schema nameless_schema() const;

    std::vector<PolicyInfo> policies_;
};

/// Reports options that have an effect only with another value of a choice.
void check_meaning(const Reader& at, const PolicyInfo& policy, const PolicyOptions& options) {
    for (const OptionInfo& option : policy.options) {
        const OptionInfo* decider = option_of(policy, option.only_with);
        const std::optional<Reader> given = at.find(option.name);
        if (decider == nullptr || !given || !given->node().source->written)
            continue;
        const std::int64_t value = options.value(*decider);
        if (value != option.only_with_value)
            given->mistake("has no effect",
                           fmt::format("{} is {}, and it is for {}",
                                       decider->name,
                                       option_text(*decider, value),
                                       option_text(*decider, option.only_with_value)));
    }
}

std::vector<std::string> option_names(const PolicyInfo& policy) {
    std::vector<std::string> names;
    for (const OptionInfo& option : policy.options)
        names.emplace_back(option.name);
    return names;
}

std::vector<std::string> PolicySlotRule::names() const {
    std::vector<std::string> names;
    for (const PolicyInfo& policy : policies_)
        names.emplace_back(policy.name);
    return names;
}

const PolicyInfo* PolicySlotRule::find(std::string_view name) const {
    const auto found = std::ranges::find(policies_, name, &PolicyInfo::name);
    return found == policies_.end() ? nullptr : &*found;
}

std::optional<PolicySetting> PolicySlotRule::read(const Reader& at, std::string_view usual) const {
    PolicySetting setting{std::string{usual}, {}};
    const bool is_mapping = at.node().kind == NodeKind::mapping;
    const std::optional<Reader> name = is_mapping ? at.find("name") : at;
    if (name) {
        const std::optional<std::string> known = one_of(names()).read(*name);
        if (!known)
            return std::nullopt;
        setting.name = *known;
    }
    const PolicyInfo* policy = find(setting.name);
    if (policy == nullptr) // nothing is chosen by default
        return at.mistake_at("name", "missing", "name of the policy that the options belong to"),
               std::nullopt;
    const std::size_t before = at.num_mistakes();
    for (const Pair& pair : at.node().pairs)
        read_option(at, pair, *policy, setting.options);
    if (at.num_mistakes() == before)
        check_meaning(at, *policy, setting.options);
    return at.num_mistakes() == before ? std::optional{std::move(setting)} : std::nullopt;
}

void PolicySlotRule::read_option(const Reader& at,
                                 const Pair& pair,
                                 const PolicyInfo& policy,
                                 PolicyOptions& options) const {
    const std::string& key = pair.key.text;
    const OptionInfo* option = option_of(policy, key);
    if (pair.repeated)
        at.member(key, pair.key).mistake("duplicate key");
    else if (key == "name")
        return;
    else if (option == nullptr)
        refuse_option(at.member(key, pair.key), key, policy, at.find("name").has_value());
    else if (auto values = OptionRule{*option}.read(at.member(key, pair.value)))
        options.set(key, std::move(*values));
}

void PolicySlotRule::refuse_option(const Reader& at,
                                   std::string_view name,
                                   const PolicyInfo& policy,
                                   bool named) const {
    const std::vector<std::string> own = option_names(policy);
    std::vector<std::string_view> owners;
    for (const PolicyInfo& other : policies_)
        if (option_of(other, name) != nullptr)
            owners.push_back(other.name);
    std::string hint;
    if (!owners.empty())
        hint = fmt::format("it is an option of {}", fmt::join(owners, ", "));
    else if (!own.empty())
        hint = suggestion(name, own);
    at.mistake(fmt::format("{}{} has no option {}",
                           named ? "" : "no name is written, and ",
                           policy.name,
                           in_quotes(name)),
               own.empty() ? std::string{"it has none"}
                           : fmt::format("its options: {}", fmt::join(own, ", ")),
               hint);
}

Schema PolicySlotRule::mapping_schema(const PolicyInfo& policy) const {
    Schema properties = {{"name", one_of({std::string{policy.name}}).schema()}};
    for (const OptionInfo& option : policy.options) {
        Schema& property = properties[std::string{option.name}];
        property["description"] = option.meaning;
        property.update(OptionRule{option}.schema());
    }
    return {{"type", "object"},
            {"additionalProperties", false},
            {"properties", std::move(properties)},
            {"required", {"name"}}};
}

/// The options of all policies of the slot.
Schema PolicySlotRule::nameless_schema() const {
    Schema properties = Schema::object();
    for (const PolicyInfo& policy : policies_)
        for (const OptionInfo& option : policy.options)
            properties[std::string{option.name}]["anyOf"].push_back(OptionRule{option}.schema());
    return {
        {"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
}

Schema PolicySlotRule::schema() const {
    Schema any;
    any.push_back(one_of(names()).schema());
    for (const PolicyInfo& policy : policies_)
        any.push_back(mapping_schema(policy));
    any.push_back(nameless_schema());
    return {{"anyOf", std::move(any)}};
}

/// Help text of a policy slot.
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

/// Reports policies that exclude each other.
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
