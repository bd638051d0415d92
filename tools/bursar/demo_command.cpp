#include <memory>

#include "scenarios/examples/demo.hpp"
#include "scenarios/scenario/read_scenario.hpp"

#include "tools/bursar/command.hpp"
#include "tools/bursar/output_options.hpp"
#include "tools/bursar/scenario_options.hpp"
#include "tools/bursar/simulation.hpp"

namespace bursar {

void add_demo_command(Command program) {
    Command command =
        program.add_subcommand("demo", "a small scenario, built in: see what a bill looks like");
    const auto output = std::make_shared<OutputChoice>();
    output->add_to(command);
    command.callback([output] {
        const Catalogue catalogue = builtin_catalogue();
        const Scenario scenario =
            read_scenario_text(demo_scenario(), "demo.yaml", {}, known_names(), catalogue);
        const Record record = output->needs_timeline() ? Record::timeline : Record::jobs;
        output->show(simulate_scenario(scenario, catalogue, std::nullopt, record));
    });
}

} // namespace bursar
