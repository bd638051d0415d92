#include "tools/bursar/model/model_command.hpp"

#include <initializer_list>

#include "tools/bursar/command.hpp"

namespace bursar {
namespace {

/// Every subcommand of `bursar model`, in the order of the help text.
constexpr std::initializer_list<void (*)(Command)> model_commands{add_model_chinchilla,
                                                                  add_model_step,
                                                                  add_model_memory,
                                                                  add_model_batch,
                                                                  add_model_layout,
                                                                  add_model_checkpoint,
                                                                  add_model_collective,
                                                                  add_model_calibrate,
                                                                  add_model_validate};

} // namespace

void add_model_command(Command program) {
    Command model = program.add_subcommand(
        "model", "what a training job takes: time, memory, layout, failures");
    model.require_subcommand();
    for (const auto add_command : model_commands)
        add_command(model);
}

} // namespace bursar
