#pragma once

#include <memory>
#include <string>

#include "tools/command_line/answer_options.hpp"
#include "tools/command_line/option_table.hpp"

namespace bursar { inline namespace tools {

/// Adds a subcommand whose options fill an Options, from which `answer` works out what is shown.
template <class Options, class Answering>
void add_answer(Command above,
                const std::string& name,
                const std::string& help,
                const OptionTable<Options>& table,
                const Answering& answer) {
    struct Given {
        Options options;
        AnswerOptions shown;
    };
    Command command = above.add_subcommand(name, help);
    const auto given = std::make_shared<Given>();
    table.add_to(command, given->options);
    given->shown.add_to(command);
    command.callback([given, answer] { given->shown.show(answer(given->options)); });
}

// Each adds one subcommand to `bursar model`.
void add_chinchilla(Command model);
void add_step(Command model);
void add_memory(Command model);
void add_batch(Command model);
void add_layout(Command model);
void add_grid(Command model);
void add_checkpoint(Command model);
void add_collective(Command model);
void add_calibrate(Command model);
void add_validate(Command model);

}} // namespace bursar::tools
