#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/choice/policy_conflict.hpp"
#include "policies/choice/policy_slots.hpp"
#include "policies/choice/presets.hpp"
#include "policies/describe/policy_list.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/scenario/policy_text.hpp"

#include "reports/document/document.hpp"
#include "reports/document/render.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/json_writer.hpp"
#include "reports/text/text_lines.hpp"
#include "reports/text/text_sink.hpp"

#include "tools/command_line/command.hpp"
#include "tools/command_line/option_table.hpp"
#include "tools/command_line/standard_output.hpp"
#include "tools/command_line/terminal.hpp"

namespace bursar { inline namespace tools {
namespace {

/// All policies and presets.
struct PolicyBook {
    std::vector<PolicyInfo> policies; ///< slot by slot
    std::span<const PresetInfo> presets;

    [[nodiscard]] std::vector<std::string> policy_slots() const;
    /// "default", "default of las, srtf", or nothing.
    [[nodiscard]] std::string default_of(const PolicyInfo& policy) const;
};

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
    case OrdersServed::without_keys:
        return "tenants";
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

/// One line per policy and preset, cut to `width` columns.
void put_policy_list(const PolicyBook& book, std::size_t width, TextSink& sink) {
    const std::vector<Entry> entries = entries_of(book);
    std::array<GridColumn, 3> columns{{{0, true, 0}, {0, true}, {0, true}}};
    for (const Entry& entry : entries)
        for (std::size_t i = 0; i + 1 < columns.size(); ++i)
            columns[i].width = std::max(columns[i].width, display_width(entry[i]));
    for (const Entry& entry : entries)
        put_line(sink, cut_to_width(grid_line(columns, entry), width));
}

/// The policies and presets of the book, one per row; for CSV.
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

/// Everything about one policy.
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

/// Which queue orders run with each backfill and preemption, as a table with notes, at most `width`
/// columns wide.
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
                fmt::format("all: every order; keys: every order but {}; tenants: these only; -: "
                            "refused, with the reason. Each goes with every capacity and "
                            "placement, and with rounds; "
                            "(rounds): with rounds only. head: skip goes with backfill: none only.",
                            fmt::join(orders_without_keys(), ", ")),
                0,
                width);
}

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
    if (has_default(option))
        json.string(default_text(option));
    else
        json.null();
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
        throw ScenarioError{none_named("no policy or policy slot is", word, known)};
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

struct PoliciesOptions {
    std::string word;
    std::string format{"table"};
};

void show_policies(const PoliciesOptions& options) {
    const auto& [word, format] = options;
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
    using T = PoliciesOptions;
    add_command(program,
                "policies",
                "list the policies and their options",
                option_table<T>(
                    {{{"NAME", &T::word, argument()}, "policy, preset or policy slot to describe"},
                     {{"--format", &T::format, one_of_texts({"table", "json", "csv"})},
                      "output format on stdout"}}),
                show_policies);
}

}} // namespace bursar::tools
