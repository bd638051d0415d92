#include <memory>
#include <utility>

#include "reports/bill/budgets.hpp"

#include "tools/bursar/command.hpp"
#include "tools/bursar/output_options.hpp"
#include "tools/bursar/progress_line.hpp"
#include "tools/bursar/scenario_options.hpp"
#include "tools/simulate/run_scenario.hpp"

namespace bursar::inline tools {

void add_run_command(Command program) {
    Command command = program.add_subcommand("run", "simulate a scenario and print its bill");
    const auto input = std::make_shared<ScenarioOptions>();
    const auto output = std::make_shared<OutputChoice>();
    input->add_to(command);
    output->add_to(command);
    command.callback([input, output] {
        LoadedScenario loaded = load_scenario(input->source());
        print_warnings(loaded.scenario);
        const InputFiles inputs{loaded.scenario.inputs};
        output->check_places(inputs);
        if (loaded.scenario.until) // else how long it takes is not known yet
            output->check_bucket(*loaded.scenario.until, loaded.scenario.fleet.size());
        const Record record = output->needs_timeline() ? Record::timeline : Record::jobs;
        const Result result = with_progress("jobs", [&](const OnProgress& on_progress) {
            return run_scenario(std::move(loaded), {input->seed, record, on_progress});
        });
        output->show(result, inputs);
        if (const std::string failed = failed_budgets(result); !failed.empty())
            throw AssertionFailed{failed};
    });
}

} // namespace bursar::inline tools
