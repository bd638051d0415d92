#include <memory>

#include "tools/bursar/model/checkpoint_options.hpp"
#include "tools/bursar/model/checkpoint_study.hpp"
#include "tools/bursar/model/model_command.hpp"
#include "tools/bursar/model/model_options.hpp"

namespace bursar {

void add_model_checkpoint(Command model) {
    Command command = model.add_subcommand(
        "checkpoint", "how often to save, what failures and saving cost, and keeping it");
    const auto options = std::make_shared<CheckpointOptions>();
    const auto shown = std::make_shared<AnswerOptions>();
    options->add_to(command);
    shown->add_to(command);
    command.callback([options, shown] { shown->show(answer_to(options->study())); });
}

} // namespace bursar
