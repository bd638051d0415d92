#include <string>
#include <string_view>

#include <fmt/format.h>

#include "scenarios/scenario/policy_text.hpp"

#include "reports/text/json_writer.hpp"

#include "tools/bursar/policy_pages.hpp"

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

} // namespace

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

}} // namespace bursar::tools
