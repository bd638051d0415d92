#include "tools/bursar/scenario_options.hpp"

#include <string_view>

#include <fmt/format.h>

#include "reports/text/escape.hpp"

#include "tools/command_line/messages.hpp"
#include "tools/simulate/plan_files.hpp"

namespace bursar { inline namespace tools {

void ScenarioOptions::add_to(Command command, bool with_file) {
    if (with_file)
        command.add_option("SCENARIO", file, "scenario file (YAML)").required();
    command
        .add_option(
            "--set", sets, "override a value, e.g. --set policy.queue=sjf; PATH= removes it")
        .type_name("PATH=VALUE")
        .one_value_each();
    command.add_option("--seed", seed, any_seed, "seed of the first run (default: the scenario's)")
        .type_name("N");
    const auto catalogue = [&](const char* flag, std::string& path, const char* help) {
        command.add_option(flag, path, help).type_name("FILE");
    };
    catalogue("--catalog", catalogue_file, "GPU catalogue in place of the built-in one");
    catalogue("--stacks", stacks_file, "software-stack profiles in place of the built-in ones");
    catalogue("--architectures", architectures_file, "networks in place of the built-in ones");
}

ScenarioSource ScenarioOptions::source() const {
    if (is_plan_file(file))
        throw UsageError{
            fmt::format("{}: is a plan file, which `bursar run`, `sweep` and `check` take; give "
                        "the scenario that it was compiled from",
                        terminal_text(file))};
    ScenarioSource source{.file = file,
                          .catalogue_file = catalogue_file,
                          .stacks_file = stacks_file,
                          .architectures_file = architectures_file};
    for (const std::string& set : sets)
        source.overrides.push_back(parse_override(set));
    return source;
}

void ScenarioOptions::check_for_plan(std::uint64_t plan_seed) const {
    const auto refuse = [&](std::string_view option) {
        throw UsageError{fmt::format("{}: {} changes a scenario, and this is a plan, compiled "
                                     "already; give it to `bursar compile`",
                                     terminal_text(file),
                                     option)};
    };
    if (!sets.empty())
        refuse("--set");
    if (!catalogue_file.empty())
        refuse("--catalog");
    if (!stacks_file.empty())
        refuse("--stacks");
    if (!architectures_file.empty())
        refuse("--architectures");
    if (seed && static_cast<std::uint64_t>(*seed) != plan_seed)
        throw UsageError{fmt::format("{}: --seed {}: the plan was compiled with seed {}; give "
                                     "--seed to `bursar compile`",
                                     terminal_text(file),
                                     *seed,
                                     plan_seed)};
}

void print_warnings(const Scenario& scenario) {
    for (const Finding& warning : scenario.warnings) {
        say("warning: {}\n", warning.text());
    }
}

}} // namespace bursar::tools
