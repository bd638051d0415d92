#include <memory>
#include <string>

#include "reports/result/saved_result.hpp"

#include "tools/bursar/command.hpp"
#include "tools/bursar/output_options.hpp"

namespace bursar::inline tools {

void add_report_command(Command program) {
    Command command = program.add_subcommand("report", "render a saved result in any format");
    const auto file = std::make_shared<std::string>();
    const auto output = std::make_shared<OutputChoice>();
    command.add_option("RESULT", *file, "a result.json written by `run --out`").required();
    output->add_to(command);
    command.callback([file, output] {
        InputFiles inputs;
        inputs.add(*file);
        output->check(inputs);
        output->show(load_result(*file), inputs);
    });
}

} // namespace bursar::inline tools
