#include <memory>

#include "tools/bursar/command.hpp"
#include "tools/bursar/output_options.hpp"
#include "tools/bursar/scenario_options.hpp"
#include "tools/bursar/simulation.hpp"

namespace bursar {

void add_run_command(Command program) {
    Command command = program.add_subcommand("run", "simulate a scenario and print its bill");
    const auto input = std::make_shared<ScenarioOptions>();
    const auto output = std::make_shared<OutputChoice>();
    input->add_to(command);
    output->add_to(command);
    command.callback([input, output] {
        const Catalogue catalogue = input->catalogue();
        const Scenario scenario = input->read(catalogue);
        print_warnings(scenario);
        const Record record = output->needs_timeline() ? Record::timeline : Record::jobs;
        output->show(simulate_scenario(scenario, catalogue, input->seed, record));
    });
}

} // namespace bursar
