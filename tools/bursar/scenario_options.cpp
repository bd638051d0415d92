#include "tools/bursar/scenario_options.hpp"

#include "tools/bursar/messages.hpp"

namespace bursar::inline tools {

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
    command.add_option("--catalog", catalogue_file, "GPU catalogue in place of the built-in one")
        .type_name("FILE");
}

ScenarioSource ScenarioOptions::source() const {
    ScenarioSource source{.file = file, .catalogue_file = catalogue_file};
    for (const std::string& set : sets)
        source.overrides.push_back(parse_override(set));
    return source;
}

void print_warnings(const Scenario& scenario) {
    for (const Finding& warning : scenario.warnings) {
        say("warning: {}\n", warning.text());
    }
}

} // namespace bursar::inline tools
