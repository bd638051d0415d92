#include "scenarios/keys/policy/policy_keys.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "policies/choice/policy_conflict.hpp"
#include "policies/choice/policy_slots.hpp"
#include "policies/describe/option.hpp"
#include "policies/describe/policy_list.hpp"

#include "scenarios/document/canonical_hash.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/reader.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/scenario/policy_text.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/text/line_reader.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The value of a policy's option as its OptionInfo describes it: whole numbers in the option's
/// unit. A list of one element may be written without brackets.
struct OptionRule {
    using value_type = std::vector<std::int64_t>; ///< one number unless it is a list or a file
    OptionInfo option;

    [[nodiscard]] std::optional<value_type> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;

  private:
    [[nodiscard]] static std::optional<value_type> read_file(const Reader& at);
    [[nodiscard]] std::optional<std::int64_t> read_one(const Reader& at) const;
    [[nodiscard]] std::optional<std::int64_t> read_number(const Reader& at) const;
    [[nodiscard]] Schema one_schema() const;
};

/// The GPU times of a file, one a line with its unit ("3.5 gpu-h"), in GPU-ms; empty lines are
/// skipped. May be gzip or zstd. Throws ScenarioError with file and line for a file that cannot be
/// read, a line that is no GPU time, and for none or more than 10 million of them.
std::vector<std::int64_t> read_gpu_times(const std::string& path) {
    constexpr std::size_t max_lines = 10'000'000;
    const std::unique_ptr<ByteSource> bytes = open_bytes(path);
    LineReader lines{*bytes, path};
    std::vector<std::int64_t> out;
    while (const std::optional<std::string_view> line = lines.next()) {
        if (line->find_first_not_of(" \t") == std::string_view::npos)
            continue;
        if (out.size() == max_lines)
            throw ScenarioError{{{path, lines.line()},
                                 "",
                                 fmt::format("more than {} GPU times", max_lines),
                                 "",
                                 ""}};
        out.push_back(quantity_of(*line, gpu_times, fmt::format("{}:{}", path, lines.line())));
    }
    if (out.empty())
        throw ScenarioError{
            {path, "", "no GPU time", "expected one a line, such as 3.5 gpu-h", ""}};
    return out;
}

constexpr std::int64_t no_bound = std::numeric_limits<std::int64_t>::max();

std::vector<std::string> words_of(const OptionInfo& option) {
    std::vector<std::string> words;
    for (const std::string_view word : option.choices)
        if (!word.empty())
            words.emplace_back(word);
    return words;
}

const Dimension& dimension_of(const OptionInfo& option) {
    return option.kind == OptionKind::gpu_time ? gpu_times : durations;
}

/// Whether a choice is off or on, which many YAML tools take for no and yes.
bool is_switch(const OptionInfo& option) {
    return option.choices[0] == "off" && option.choices[1] == "on";
}

std::optional<std::int64_t> OptionRule::read_number(const Reader& at) const {
    switch (option.kind) {
    case OptionKind::duration:
    case OptionKind::gpu_time: {
        const std::optional<Measure> measure =
            read_measure(at, dimension_of(option), Zero::allowed);
        return measure ? std::optional{measure->count} : std::nullopt;
    }
    case OptionKind::milli:
        return MilliRule{0, no_bound}.read(at);
    case OptionKind::choice: {
        if (is_switch(option))
            return YesNoRule{}.read(at);
        const std::vector<std::string> words = words_of(option);
        const std::optional<std::string> word = one_of(words).read(at);
        return word ? std::optional{std::ranges::find(words, *word) - words.begin()} : std::nullopt;
    }
    case OptionKind::gpu_time_file:
    case OptionKind::count:
        break;
    }
    if (option.max_is_no_limit && at.node().text == no_limit_word)
        return option.max;
    return whole_number(-no_bound, no_bound).read(at);
}

std::optional<std::int64_t> OptionRule::read_one(const Reader& at) const {
    const std::optional<std::int64_t> number = read_number(at);
    if (!number || option.kind == OptionKind::choice)
        return number;
    if (*number < option.min)
        return at.mistake(in_quotes(at.node().text) + " is too small", range_text(option));
    if (*number > option.max)
        return at.mistake(in_quotes(at.node().text) + " is too large", range_text(option));
    return number;
}

std::optional<OptionRule::value_type> OptionRule::read_file(const Reader& at) {
    const std::optional<std::string> path = FileRule{}.read(at);
    if (!path)
        return std::nullopt;
    try {
        value_type times = read_gpu_times(*path);
        std::uint64_t content = times.size();
        for (const std::int64_t time : times)
            content = combined_hash(content, static_cast<std::uint64_t>(time));
        at.names_content(content);
        return times;
    } catch (const ScenarioError& error) {
        return at.mistake(in_quotes(at.node().text) + " cannot be used", error.what());
    }
}

std::optional<OptionRule::value_type> OptionRule::read(const Reader& at) const {
    if (option.kind == OptionKind::gpu_time_file)
        return read_file(at);
    const Node& node = at.node();
    if (!option.is_list || node.kind != NodeKind::sequence) {
        const std::optional<std::int64_t> number = read_one(at);
        return number ? std::optional{value_type{*number}} : std::nullopt;
    }
    if (node.items.empty() || node.items.size() > FewNumbers::max)
        return at.mistake(fmt::format("a list of {}", node.items.size()),
                          fmt::format("expected 1 to {} values", FewNumbers::max));
    value_type list;
    for (std::size_t i = 0; i < node.items.size(); ++i)
        if (const std::optional<std::int64_t> number = read_one(at.element(i)))
            list.push_back(*number);
    if (list.size() != node.items.size())
        return std::nullopt;
    if (option.kind == OptionKind::choice) {
        for (std::size_t i = 1; i < list.size(); ++i)
            if (std::find(list.begin(), list.begin() + i, list[i]) != list.begin() + i)
                return at.element(i).mistake(in_quotes(node.items[i].text) + " is named twice");
        return list;
    }
    for (std::size_t i = 1; i < list.size(); ++i)
        if (list[i] <= list[i - 1])
            return at.element(i).mistake(in_quotes(node.items[i].text) +
                                             " is not above the value before it",
                                         "each limit is");
    return list;
}

Schema OptionRule::one_schema() const {
    switch (option.kind) {
    case OptionKind::duration:
    case OptionKind::gpu_time:
        return measure_schema(dimension_of(option), option.min > 0 ? Zero::refused : Zero::allowed);
    case OptionKind::milli:
        return MilliRule{option.min, option.max}.schema();
    case OptionKind::choice:
        return is_switch(option) ? YesNoRule{}.schema() : one_of(words_of(option)).schema();
    case OptionKind::gpu_time_file:
        return FileRule{}.schema();
    case OptionKind::count:
        break;
    }
    const Schema number = whole_number(option.min, option.max).schema();
    if (!option.max_is_no_limit)
        return number;
    return {{"anyOf", {number, {{"const", std::string{no_limit_word}}}}}};
}

Schema OptionRule::schema() const {
    if (!option.is_list)
        return one_schema();
    return {{"anyOf",
             {one_schema(),
              {{"type", "array"},
               {"minItems", 1},
               {"maxItems", FewNumbers::max},
               {"items", one_schema()}}}}};
}

/// The value of a policy slot: a name, or a mapping of `name` and that policy's options. Without
/// `name` the options are those of the default policy.
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

/// Reports options that need another value of a choice to have an effect.
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
    return {{std::string{row.name},
             Presence::optional,
             [row, rule](const Reader& at, PolicyChoice& choice) {
                 if (auto setting = rule.read(at, row.chosen(choice).name))
                     row.choose(choice, std::move(*setting));
             },
             [rule] { return rule.schema(); }},
            help_of(row)};
}

/// Reports a written `head: block` where the preemption skips jobs that do not fit.
void check_head(const Reader& at, const PolicyChoice& choice) {
    const std::optional<Reader> head = at.find("head");
    if (head && head->node().source->written && choice.head != head_of(choice))
        head->mistake(
            fmt::format("{} has no effect", name_of(choice.head)),
            choice.allocator == allocator_none
                ? fmt::format("preemption by {} starts any job that fits", preemption_of(choice))
                : fmt::format("{} decides which jobs run", choice.allocator),
            choice.allocator == allocator_none
                ? "remove it, or use preemption: none, priority or value"
                : "remove it");
}

/// Reports policies that exclude each other.
void check_together(const Reader& at, const PolicyChoice& choice, const KeysRead& keys) {
    for (const std::string_view key :
         {"queue", "head", "backfill", "preemption", "broker", "allocator", "staging", "rounds"})
        if (!keys.good(key))
            return;
    if (const std::optional<PolicyConflict> conflict = policy_conflict(choice))
        at.mistake_at(
            conflict->policy_slot, conflict->problem, conflict->why, conflict->suggestion);
    check_head(at, choice);
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
            {noted<PolicyChoice>("preset", Presence::optional, one_of(preset_names(names))),
             "settings of another simulator, where the scenario gives "
             "none; default none"});
    for (const PolicySlot& row : policy_slots())
        if (std::vector<PolicyInfo> policies = names.policies_of(row.name); !policies.empty())
            keys.push_back(key_of(row, PolicySlotRule{std::move(policies)}));
    keys.push_back({optional("rounds", &PolicyChoice::quantum, duration(Zero::refused)),
                    "jobs start and are preempted only at multiples of it; default: at any time"});
    keys.push_back(
        {optional(
             "sharing",
             &PolicyChoice::sharing,
             ChoiceRule<Sharing>{{{"slots", Sharing::slots}, {"exclusive", Sharing::exclusive}}}),
         "slots: a job that requests a part of a GPU gets that part; exclusive: all of it; default "
         "slots"});
    return table<PolicyChoice, check_together>(keys);
}

}} // namespace bursar::scenarios
