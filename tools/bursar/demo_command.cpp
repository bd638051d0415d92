#include <memory>
#include <string>
#include <utility>

#include "scenarios/examples/demo.hpp"

#include "tools/bursar/output_options.hpp"
#include "tools/command_line/command.hpp"
#include "tools/command_line/progress_line.hpp"
#include "tools/simulate/run_scenario.hpp"

namespace bursar { inline namespace tools {

void add_demo_command(Command program) {
    Command command = program.add_subcommand("demo", "run a small built-in scenario");
    const auto output = std::make_shared<OutputChoice>();
    output->add_to(command);
    command.callback([output] {
        LoadedScenario loaded =
            load_scenario({.file = "demo.yaml", .text = std::string{demo_scenario()}});
        output->check({});
        const Record record = output->needs_timeline() ? Record::timeline : Record::jobs;
        const Result result = with_progress("jobs", [&](const OnProgress& on_progress) {
            return run_scenario(std::move(loaded), {.record = record, .on_progress = on_progress});
        });
        output->show(result, {});
    });
}

}} // namespace bursar::tools
