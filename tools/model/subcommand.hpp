#pragma once

#include "tools/command_line/answer_options.hpp"

namespace bursar { inline namespace tools {

// Each adds one subcommand to `bursar model`.
void add_chinchilla(Command model);
void add_step(Command model);
void add_memory(Command model);
void add_batch(Command model);
void add_layout(Command model);
void add_grid(Command model);
void add_checkpoint(Command model);
void add_failures_fit(Command model);
void add_collective(Command model);
void add_calibrate(Command model);
void add_validate(Command model);

}} // namespace bursar::tools
