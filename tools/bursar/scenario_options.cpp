#include "tools/bursar/scenario_options.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "policies/catalog.hpp"
#include "policies/presets.hpp"

#include "scenarios/scenario/read_scenario.hpp"
#include "scenarios/synth/profiles.hpp"
#include "scenarios/traces/registry.hpp"

#include "tools/bursar/messages.hpp"

namespace bursar {
void ScenarioOptions::add_to(Command command, bool with_file) {
    if (with_file)
        command.add_option("SCENARIO", file, "scenario file (YAML)").required();
    command
        .add_option("--set", sets, "change a value, e.g. --set policy.queue=sjf; may be repeated")
        .type_name("PATH=VALUE")
        .one_value_each();
    command.add_option("--seed", seed, "first seed of what is random in the scenario")
        .check(not_negative())
        .type_name("N");
    command.add_option("--catalog", catalogue_file, "GPU catalogue in place of the built-in one")
        .type_name("FILE");
}

Catalogue ScenarioOptions::catalogue() const {
    return catalogue_file.empty() ? builtin_catalogue() : read_catalogue(catalogue_file);
}

Scenario ScenarioOptions::read(const Catalogue& catalogue,
                               const std::vector<Override>& more) const {
    std::vector<Override> overrides;
    for (const std::string& set : sets)
        overrides.push_back(parse_override(set));
    overrides.insert(overrides.end(), more.begin(), more.end());
    return read_scenario(file, overrides, known_names(), catalogue);
}

KnownNames known_names() {
    KnownNames names;
    names.policies = policy_catalog();
    names.presets.assign(presets().begin(), presets().end());
    for (const TraceFormat& format : trace_formats())
        names.trace_formats.emplace_back(format.name);
    for (const std::string_view like : synthetic_names())
        names.synthetic.emplace_back(like);
    return names;
}

void print_warnings(const Scenario& scenario) {
    for (const Finding& warning : scenario.warnings) {
        say("warning: {}\n", warning.text());
    }
}

} // namespace bursar
