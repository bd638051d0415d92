#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "policies/choice/policy_slots.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

#include "reports/answer/render.hpp"

#include "tools/bursar/combination_table.hpp"
#include "tools/bursar/policy_pages.hpp"
#include "tools/command_line/command.hpp"
#include "tools/command_line/standard_output.hpp"
#include "tools/command_line/terminal.hpp"

namespace bursar { inline namespace tools {
namespace {

/// The part of the book that a word asks for: a policy slot, or all policies and presets of that
/// name.
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

/// Of what no terminal shows: a line is as long as it is.
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
