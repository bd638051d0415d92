#pragma once

#include "tools/bursar/options.hpp"

namespace bursar {

/// Each adds one subcommand of `bursar model`, its options and what it does.
void add_model_chinchilla(Command model);
void add_model_step(Command model);
void add_model_memory(Command model);
void add_model_batch(Command model);
void add_model_layout(Command model);
void add_model_checkpoint(Command model);
void add_model_collective(Command model);
void add_model_calibrate(Command model);
void add_model_validate(Command model);

} // namespace bursar
