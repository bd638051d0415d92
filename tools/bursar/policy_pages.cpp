#include "tools/bursar/policy_pages.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "policies/policy_choice.hpp"

#include "scenarios/scenario/policy_text.hpp"

#include "reports/answer/text_lines.hpp"
#include "reports/text/display_width.hpp"

namespace bursar {
namespace {

constexpr std::size_t slot_width = 12;
constexpr std::size_t name_width = 22;
constexpr std::size_t label_width = 16;

/// The slots' defaults as a scenario without a policy has them.
bool is_default(const PolicyInfo& policy) {
    const PolicyChoice usual;
    for (const auto& [slot, name] :
         {std::pair<std::string_view, std::string_view>{"queue", usual.queue},
          {"head", name_of(usual.head)},
          {"backfill", usual.backfill},
          {"capacity", usual.capacity},
          {"placement", usual.placement},
          {"preemption", preemption_none},
          {"estimates", usual.estimates},
          {"broker", usual.broker}})
        if (policy.slot == slot && policy.name == name)
            return true;
    return false;
}

void put_entry(TextSink& sink,
               std::size_t width,
               std::string_view slot,
               std::string_view name,
               std::string_view summary) {
    const std::string line =
        fmt::format("{:<{}}{:<{}}{}", slot, slot_width, name, name_width, summary);
    put_line(sink, cut_to_width(line, width));
}

void put_labelled(TextSink& sink,
                  std::string_view label,
                  std::string_view text,
                  std::size_t width) {
    if (!text.empty())
        put_hanging(sink, "  " + left_aligned(label, label_width), text, 2 + label_width, width);
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
               ? fmt::format("policy: {{{}: {}}}", policy.slot, policy.name)
               : fmt::format("policy: {{{}: {{name: {}{}}}}}", policy.slot, policy.name, options);
}

} // namespace

std::vector<std::string> PolicyBook::slots() const {
    std::vector<std::string> slots;
    for (const PolicyInfo& policy : policies)
        if (slots.empty() || slots.back() != policy.slot)
            slots.emplace_back(policy.slot);
    return slots;
}

std::string PolicyBook::default_of(const PolicyInfo& policy) const {
    if (is_default(policy))
        return "default";
    if (policy.slot != "preemption" || policy.name != preemption_order)
        return {};
    std::vector<std::string_view> orders;
    for (const PolicyInfo& order : policies)
        if (order.preempts)
            orders.push_back(order.name);
    return orders.empty() ? "" : fmt::format("default of {}", fmt::join(orders, ", "));
}

void put_policy_list(const PolicyBook& book, std::size_t width, TextSink& sink) {
    std::string_view slot;
    for (const PolicyInfo& policy : book.policies) {
        put_entry(sink,
                  width,
                  policy.slot == slot ? std::string_view{} : policy.slot,
                  (is_default(policy) ? "* " : "  ") + std::string{policy.name},
                  policy.summary);
        slot = policy.slot;
    }
    slot = "preset";
    for (const PresetInfo& preset : book.presets) {
        put_entry(sink, width, slot, "  " + std::string{preset.name}, preset.summary);
        slot = {};
    }
}

void put_policy_page(const PolicyBook& book,
                     const PolicyInfo& policy,
                     std::size_t width,
                     TextSink& sink) {
    const std::string usual = book.default_of(policy);
    put_line(
        sink,
        fmt::format(
            "policy.{}: {}{}", policy.slot, policy.name, usual.empty() ? "" : " (" + usual + ")"));
    put_hanging(sink, "  ", policy.summary, 2, width);
    put_labelled(sink, "cost per event", policy.cost, width);
    put_labelled(sink, "source", policy.source, width);
    put_labelled(
        sink,
        "preemption",
        policy.preempts ? "running jobs make way by order, unless preemption says otherwise" : "",
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
    put_line(sink, "  settings, where a scenario does not say");
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

} // namespace bursar
