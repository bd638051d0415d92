#include "tools/bursar/policy_pages.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/choice/policy_conflict.hpp"
#include "policies/choice/policy_slots.hpp"

#include "scenarios/scenario/policy_text.hpp"

#include "reports/text/display_width.hpp"
#include "reports/text/text_lines.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::size_t label_width = 16;

/// Whether scenarios use this policy by default.
bool is_default(const PolicyInfo& policy) {
    const auto row = std::ranges::find(policy_slots(), policy.policy_slot, &PolicySlot::name);
    return row != policy_slots().end() && row->held({}) == policy.name;
}

/// A line of the list: slot, name, summary.
using Entry = std::array<std::string, 3>;

std::vector<Entry> entries_of(const PolicyBook& book) {
    std::vector<Entry> entries;
    std::string_view slot;
    for (const PolicyInfo& policy : book.policies) {
        entries.push_back({std::string{policy.policy_slot == slot ? "" : policy.policy_slot},
                           (is_default(policy) ? "* " : "  ") + std::string{policy.name},
                           std::string{policy.summary}});
        slot = policy.policy_slot;
    }
    slot = "preset";
    for (const PresetInfo& preset : book.presets) {
        entries.push_back(
            {std::string{slot}, "  " + std::string{preset.name}, std::string{preset.summary}});
        slot = {};
    }
    return entries;
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

std::string_view list_text(const OptionInfo& option) {
    if (!option.is_list)
        return "";
    return option.kind == OptionKind::choice ? "a list of " : "limits in a list, each ";
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
                             list_text(option),
                             range_text(option),
                             default_text(option),
                             condition),
                 width);
    put_hanging(sink, std::string(2 + label_width, ' '), option.meaning, 2 + label_width, width);
}

/// A line for a scenario, with every option at its default.
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

constexpr std::size_t combination_width = 14;

std::string_view word_of(OrdersServed orders) {
    switch (orders) {
    case OrdersServed::none:
        return "-";
    case OrdersServed::with_keys:
        return "keys";
    case OrdersServed::all:
        return "all";
    }
    return "";
}

std::string cell_of(const Combination& combination) {
    std::string cell{word_of(combination.orders)};
    if (combination.needs_rounds)
        cell += " (rounds)";
    return cell;
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
    const std::vector<Entry> entries = entries_of(book);
    std::array<GridColumn, 3> columns{{{0, true, 0}, {0, true}, {0, true}}};
    for (const Entry& entry : entries)
        for (std::size_t i = 0; i + 1 < columns.size(); ++i)
            columns[i].width = std::max(columns[i].width, display_width(entry[i]));
    for (const Entry& entry : entries)
        put_line(sink, cut_to_width(grid_line(columns, entry), width));
}

Document policy_table(const PolicyBook& book) {
    ReportTable table{"policies",
                      "Policies",
                      {{"slot", "slot", ""},
                       {"name", "name", ""},
                       {"summary", "summary", ""},
                       {"default", "default", ""},
                       {"preempts", "preempts", ""},
                       {"cost_per_event", "cost per event", ""},
                       {"source", "source", ""}},
                      {}};
    for (const PolicyInfo& policy : book.policies)
        table.rows.push_back({std::string{policy.policy_slot},
                              std::string{policy.name},
                              std::string{policy.summary},
                              is_default(policy),
                              policy.order.preempts,
                              std::string{policy.cost},
                              std::string{policy.source}});
    for (const PresetInfo& preset : book.presets)
        table.rows.push_back({std::string{"preset"},
                              std::string{preset.name},
                              std::string{preset.summary},
                              false,
                              false,
                              std::string{},
                              std::string{preset.source}});
    Document answer;
    answer.command = "policies";
    answer.add(std::move(table));
    return answer;
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
                     ? "running jobs are preempted by order, unless `preemption` is set"
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

void put_combinations(std::size_t width, TextSink& sink) {
    put_line(sink, "Combinations: queue orders that run with each preemption and backfill");
    std::string title = left_aligned("preemption", combination_width);
    for (const PolicyInfo& backfill : policies_of("backfill"))
        title += left_aligned(std::string{backfill.name}, combination_width);
    put_line(sink, title);
    const std::vector<Combination> all = combinations();
    for (const PolicyInfo& preemption : policies_of("preemption")) {
        std::string line = left_aligned(std::string{preemption.name}, combination_width);
        for (const Combination& combination : all)
            if (combination.preemption == preemption.name)
                line += left_aligned(cell_of(combination), combination_width);
        put_line(sink, line);
    }
    put_hanging(sink,
                "",
                fmt::format("all: every order; keys: every order but {}; -: refused, with the "
                            "reason. Each goes with every capacity and placement, and with rounds; "
                            "(rounds): with rounds only. head: skip goes with backfill: none only.",
                            fmt::join(orders_without_keys(), ", ")),
                0,
                width);
}

}} // namespace bursar::tools
