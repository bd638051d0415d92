#include "tools/bursar/output_options.hpp"

#include <map>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "reports/files/write_outputs.hpp"
#include "reports/registry.hpp"

#include "tools/bursar/messages.hpp"
#include "tools/bursar/standard_output.hpp"
#include "tools/bursar/terminal.hpp"
#include "tools/bursar/validators.hpp"

namespace bursar {
namespace {

/// Adds an option that takes one of `names`, which stand in the order of the enumeration.
template <class Enum>
void add_choice(CLI::App& command,
                const std::string& flag,
                Enum& value,
                std::span<const std::string_view> names,
                const std::string& help) {
    std::map<std::string, Enum> choices;
    std::string listed;
    for (std::size_t i = 0; i < names.size(); ++i) {
        choices.emplace(names[i], static_cast<Enum>(i));
        listed += (i == 0 ? "" : "|") + std::string{names[i]};
    }
    command
        .add_option_function<std::string>(
            flag, [&value, choices](const std::string& name) { value = choices.at(name); }, help)
        ->check(CLI::IsMember(std::vector<std::string>{names.begin(), names.end()}))
        ->type_name(listed);
}

} // namespace

void OutputChoice::add_to(CLI::App& command) {
    add_format_options(command, outputs(), format, directory);
    command.add_flag("--all", options.all, "every leaf, empty ones too");
    add_choice<GroupBy>(
        command, "--group-by", options.group_by, group_by_names, "rows of the bill");
    add_choice<SortBy>(command, "--sort", options.sort, sort_by_names, "order of the rows");
    add_choice<ShareIdle>(command,
                          "--share-idle",
                          options.share_idle,
                          share_idle_names,
                          "how idle time is charged to tenants");
    command.add_option("--top", top, "so many rows, the rest as one")
        ->check(above_zero)
        ->type_name("N");
    command
        .add_option(
            "--bucket",
            bucket_s,
            "timeline.csv: averages over so many seconds (1h, 15min) instead of every change")
        ->transform(CLI::AsNumberWithUnit(
            std::map<std::string, std::int64_t>{{"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86'400}},
            CLI::AsNumberWithUnit::UNIT_REQUIRED))
        ->check(above_zero)
        ->type_name("TIME");
    command.add_flag("--reproducible",
                     options.reproducible,
                     "leave out what differs between equal runs: times and memory");
}

bool OutputChoice::needs_timeline() const {
    return !directory.empty() || format == "timeline" || format == "result";
}

void OutputChoice::show(const Result& result) {
    if (top > 0)
        options.top = static_cast<std::size_t>(top);
    if (bucket_s > 0)
        options.bucket = bucket_s * second;
    if (!directory.empty()) {
        write_outputs(result, directory, options);
        say("written to {}\n", directory);
    }
    OutputOptions shown = options;
    shown.colour = wants_colour() ? Colour::always : Colour::never;
    shown.width = terminal_width(page_width);
    StandardOutput sink;
    find_output(format)->write(result, shown, sink);
    sink.flush();
}

} // namespace bursar
