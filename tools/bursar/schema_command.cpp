#include <cstdio>

#include <fmt/format.h>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/keys/scenario_keys.hpp"

#include "tools/command_line/command.hpp"
#include "tools/simulate/load_scenario.hpp"

namespace bursar { inline namespace tools {

void add_schema_command(Command program) {
    Command command = program.add_subcommand(
        "schema", "print the JSON Schema of scenario files, for editors and other programs");
    command.callback(
        [] { fmt::print("{}\n", scenario_schema(known_names(), builtin_catalogue())); });
}

}} // namespace bursar::tools
