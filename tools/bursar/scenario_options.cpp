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
    const auto catalogue = [&](const char* flag, std::string& path, const char* help) {
        command.add_option(flag, path, help).type_name("FILE");
    };
    catalogue("--catalog", catalogue_file, "GPU catalogue in place of the built-in one");
    catalogue("--stacks", stacks_file, "software-stack profiles in place of the built-in ones");
    catalogue("--architectures", architectures_file, "networks in place of the built-in ones");
}

ScenarioSource ScenarioOptions::source() const {
    ScenarioSource source{.file = file,
                          .catalogue_file = catalogue_file,
                          .stacks_file = stacks_file,
                          .architectures_file = architectures_file};
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
