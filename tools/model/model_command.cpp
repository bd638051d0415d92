#include "tools/command_line/command.hpp"
#include "tools/model/subcommand.hpp"

namespace bursar { inline namespace tools {

void add_model_command(Command program) {
    Command model =
        program.add_subcommand("model", "estimate a training job: time, memory, layout, failures");
    model.require_subcommand();
    for (const auto add : {add_chinchilla,
                           add_step,
                           add_memory,
                           add_batch,
                           add_layout,
                           add_grid,
                           add_checkpoint,
                           add_failures_fit,
                           add_collective,
                           add_calibrate,
                           add_validate})
        add(model);
}

}} // namespace bursar::tools
