#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "policies/choice/policy_slots.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/scenario/policy_text.hpp"

#include "reports/document/render.hpp"
#include "reports/text/json_writer.hpp"

#include "tools/bursar/policy_pages.hpp"
#include "tools/command_line/command.hpp"
#include "tools/command_line/standard_output.hpp"
#include "tools/command_line/terminal.hpp"

namespace bursar { inline namespace tools {
namespace {

std::string_view kind_name(OptionKind kind) {
    switch (kind) {
    case OptionKind::count:
        return "whole number";
    case OptionKind::duration:
        return "duration";
    case OptionKind::gpu_time:
        return "GPU time";
    case OptionKind::milli:
        return "number";
    case OptionKind::gpu_time_file:
        return "file";
    case OptionKind::choice:
        break;
    }
    return "choice";
}

void put_option(JsonWriter& json, const PolicyInfo& policy, const OptionInfo& option) {
    json.begin_object();
    json.string("name", option.name);
    json.string("kind", kind_name(option.kind));
    json.key("list");
    json.boolean(option.is_list);
    json.string("range", range_text(option));
    json.key("default");
    if (option.kind == OptionKind::gpu_time_file)
        json.null();
    else
        json.string(default_text(option));
    json.string("meaning", option.meaning);
    json.key("only_with");
    if (const OptionInfo* decider = option_of(policy, option.only_with))
        json.string(
            fmt::format("{}: {}", decider->name, option_text(*decider, option.only_with_value)));
    else
        json.null();
    json.end_object();
}

void put_policy(JsonWriter& json, const PolicyBook& book, const PolicyInfo& policy) {
    json.begin_object();
    json.string("slot", policy.policy_slot);
    json.string("name", policy.name);
    json.string("summary", policy.summary);
    json.key("default");
    json.boolean(book.default_of(policy) == "default");
    json.key("preempts");
    json.boolean(policy.order.preempts);
    json.string("cost_per_event", policy.cost);
    json.string("source", policy.source);
    json.key("options");
    json.begin_array();
    for (const OptionInfo& option : policy.options)
        put_option(json, policy, option);
    json.end_array();
    json.end_object();
}

void put_preset(JsonWriter& json, const PresetInfo& preset) {
    json.begin_object();
    json.string("name", preset.name);
    json.string("summary", preset.summary);
    json.string("source", preset.source);
    json.key("settings");
    json.begin_array();
    for (const PresetSetting& setting : preset.settings) {
        json.begin_object();
        json.string("key", setting.key);
        json.string("value", setting.value);
        json.key("of_classes");
        json.boolean(setting.is_of_classes());
        json.string("gangs", setting.gangs);
        json.key("only_preempting");
        json.boolean(setting.only_preempting);
        json.string("meaning", setting.meaning);
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

/// The policies and presets with their options and settings, for programs.
void put_policies_json(const PolicyBook& book,
                       const std::vector<PolicyInfo>& policies,
                       std::span<const PresetInfo> presets,
                       TextSink& sink) {
    JsonWriter json{sink};
    json.begin_object();
    json.key("policies");
    json.begin_array();
    for (const PolicyInfo& policy : policies)
        put_policy(json, book, policy);
    json.end_array();
    json.key("presets");
    json.begin_array();
    for (const PresetInfo& preset : presets)
        put_preset(json, preset);
    json.end_array();
    json.end_object();
}

/// The policies of a slot, or all policies and presets with this name.
PolicyBook part_of(const PolicyBook& book, const std::string& word) {
    std::vector<std::string> known = book.policy_slots();
    known.emplace_back("preset");
    for (const PolicyInfo& policy : book.policies)
        known.emplace_back(policy.name);
    for (const PresetInfo& preset : book.presets)
        known.emplace_back(preset.name);
    std::ranges::sort(known);
    known.erase(std::ranges::unique(known).begin(), known.end());
    const std::string* meant = meant_name(word, known);
    if (meant == nullptr)
        throw ScenarioError{mistake(
            "no policy or policy slot is named " + in_quotes(word), {}, suggestion(word, known))};
    PolicyBook part;
    for (const PolicyInfo& policy : book.policies)
        if (policy.policy_slot == *meant || policy.name == *meant)
            part.policies.push_back(policy);
    if (*meant == "preset")
        part.presets = book.presets;
    const auto named = std::ranges::find(book.presets, *meant, &PresetInfo::name);
    if (named != book.presets.end())
        part.presets = {&*named, 1};
    return part;
}

/// For output that is not on a terminal: lines are not cut.
constexpr std::size_t no_width = std::numeric_limits<std::size_t>::max();

void show_policies(const std::string& word, const std::string& format) {
    const PolicyBook book{policy_catalog(), presets()};
    const PolicyBook part = word.empty() ? book : part_of(book, word);
    const std::size_t width = terminal_width(page_width);
    StandardOutput sink{readers_of(format)};
    if (format == "json") {
        put_policies_json(book, part.policies, part.presets, sink);
    } else if (format == "csv") {
        sink.put(render(policy_table(part), AnswerFormat::csv));
    } else if (word.empty()) {
        put_policy_list(book, is_terminal(stdout) ? terminal_width(no_width) : no_width, sink);
        sink.put(
            "\n* default.  `bursar policies NAME` shows options, cost and source; NAME may be a "
            "policy slot.\n\n");
        put_combinations(is_terminal(stdout) ? terminal_width(no_width) : page_width, sink);
    } else {
        bool first = true;
        const auto separate = [&] {
            if (!first)
                sink.put('\n');
            first = false;
        };
        for (const PolicyInfo& policy : part.policies) {
            separate();
            put_policy_page(book, policy, width, sink);
        }
        for (const PresetInfo& preset : part.presets) {
            separate();
            put_preset_page(preset, width, sink);
        }
    }
    sink.flush();
}

} // namespace

void add_policies_command(Command program) {
    Command command = program.add_subcommand("policies", "list the policies and their options");
    const auto word = std::make_shared<std::string>();
    const auto format = std::make_shared<std::string>("table");
    command.add_option("NAME", *word, "policy, preset or policy slot to describe");
    command.add_option("--format", *format, "output format on stdout")
        .one_of_words({"table", "json", "csv"})
        .type_name("table|json|csv")
        .show_default();
    command.callback([word, format] { show_policies(*word, *format); });
}

}} // namespace bursar::tools
