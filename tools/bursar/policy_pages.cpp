#include "tools/bursar/policy_pages.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "policies/policy_slots.hpp"

#include "scenarios/scenario/policy_text.hpp"

#include "reports/text/display_width.hpp"
#include "reports/text/text_lines.hpp"

namespace bursar::inline tools {
namespace {

constexpr std::size_t heading_width = 12;
constexpr std::size_t name_width = 22;
constexpr std::size_t label_width = 16;

/// Whether it holds where a scenario says nothing.
bool is_default(const PolicyInfo& policy) {
    const auto row = std::ranges::find(policy_slots(), policy.policy_slot, &PolicySlot::name);
    return row != policy_slots().end() && row->held({}) == policy.name;
}

void put_entry(TextSink& sink,
               std::size_t width,
               std::string_view heading,
               std::string_view name,
               std::string_view summary) {
    const std::string line =
        fmt::format("{:<{}}{:<{}}{}", heading, heading_width, name, name_width, summary);
    put_line(sink, cut_to_width(line, width));
}

void put_labelled(TextSink& sink,
                  std::string_view label,
                  std::string_view text,
                  std::size_t width) {
    if (text.empty())
        return;
    std::string start = "  " + left_aligned(label, label_width);
    if (label.size() >= label_width) { // a line of its own
        put_line(sink, "  " + std::string{label});
        start = std::string(2 + label_width, ' ');
    }
    put_hanging(sink, start, text, 2 + label_width, width);
}

/// "by: gpu-time or time; default gpu-time": how to write an option, and what it means.
void put_option(const PolicyInfo& policy,
                const OptionInfo& option,
                std::size_t width,
                TextSink& sink) {
    std::string condition;
    if (const OptionInfo* decider = option_of(policy, option.only_with))
        condition = fmt::format(
            "; with {}: {} only", decider->name, option_text(*decider, option.only_with_value));
    put_labelled(sink,
                 option.name,
                 fmt::format("{}{}; default {}{}",
                             option.is_list ? "limits in a list, each " : "",
                             range_text(option),
                             default_text(option),
                             condition),
                 width);
    put_hanging(sink, std::string(2 + label_width, ' '), option.meaning, 2 + label_width, width);
}

/// A scenario's line with every option at its default.
std::string example_of(const PolicyInfo& policy) {
    std::string options;
    for (const OptionInfo& option : policy.options)
        if (has_meaning_by_default(policy, option))
            options += fmt::format(", {}: {}", option.name, default_text(option));
    return options.empty()
               ? fmt::format("policy: {{{}: {}}}", policy.policy_slot, policy.name)
               : fmt::format(
                     "policy: {{{}: {{name: {}{}}}}}", policy.policy_slot, policy.name, options);
}

} // namespace

std::vector<std::string> PolicyBook::policy_slots() const {
    std::vector<std::string> names;
    for (const PolicyInfo& policy : policies)
        if (names.empty() || names.back() != policy.policy_slot)
            names.emplace_back(policy.policy_slot);
    return names;
}

std::string PolicyBook::default_of(const PolicyInfo& policy) const {
    if (is_default(policy))
        return "default";
    if (policy.policy_slot != "preemption" || policy.name != preemption_order)
        return {};
    std::vector<std::string_view> orders;
    for (const PolicyInfo& order : policies)
        if (order.order.preempts)
            orders.push_back(order.name);
    return orders.empty() ? "" : fmt::format("default of {}", fmt::join(orders, ", "));
}

void put_policy_list(const PolicyBook& book, std::size_t width, TextSink& sink) {
    std::string_view heading;
    for (const PolicyInfo& policy : book.policies) {
        put_entry(sink,
                  width,
                  policy.policy_slot == heading ? std::string_view{} : policy.policy_slot,
                  (is_default(policy) ? "* " : "  ") + std::string{policy.name},
                  policy.summary);
        heading = policy.policy_slot;
    }
    heading = "preset";
    for (const PresetInfo& preset : book.presets) {
        put_entry(sink, width, heading, "  " + std::string{preset.name}, preset.summary);
        heading = {};
    }
}

void put_policy_page(const PolicyBook& book,
                     const PolicyInfo& policy,
                     std::size_t width,
                     TextSink& sink) {
    const std::string usual = book.default_of(policy);
    put_line(sink,
             fmt::format("policy.{}: {}{}",
                         policy.policy_slot,
                         policy.name,
                         usual.empty() ? "" : " (" + usual + ")"));
    put_hanging(sink, "  ", policy.summary, 2, width);
    put_labelled(sink, "cost per event", policy.cost, width);
    put_labelled(sink, "source", policy.source, width);
    put_labelled(sink,
                 "preemption",
                 policy.order.preempts
                     ? "running jobs are preempted by order, unless `preemption` says otherwise"
                     : "",
                 width);
    put_labelled(sink, "written", example_of(policy), width);
    if (policy.options.empty())
        return;
    put_line(sink, "  options");
    for (const OptionInfo& option : policy.options)
        put_option(policy, option, width, sink);
}

void put_preset_page(const PresetInfo& preset, std::size_t width, TextSink& sink) {
    put_line(sink, fmt::format("policy.preset: {}", preset.name));
    put_hanging(sink, "  ", preset.summary, 2, width);
    put_labelled(sink, "source", preset.source, width);
    put_line(sink, "  settings, unless the scenario gives them");
    for (const PresetSetting& setting : preset.settings) {
        std::string where;
        if (setting.is_of_classes())
            where = setting.gangs.empty()
                        ? "  (of job classes)"
                        : fmt::format("  (of job classes, gangs of {})", setting.gangs);
        if (setting.only_preempting)
            where += " where jobs are preempted";
        put_hanging(
            sink, fmt::format("  {}: {}{}", setting.key, setting.value, where), "", 4, width);
        put_hanging(sink, "    ", setting.meaning, 4, width);
    }
}

} // namespace bursar::inline tools
