#pragma once

#include <CLI/CLI.hpp>

namespace bursar {

/// Each adds one subcommand of `bursar model`, its options and what it does.
void add_model_chinchilla(CLI::App& model);
void add_model_step(CLI::App& model);
void add_model_memory(CLI::App& model);
void add_model_batch(CLI::App& model);
void add_model_layout(CLI::App& model);
void add_model_checkpoint(CLI::App& model);
void add_model_collective(CLI::App& model);
void add_model_calibrate(CLI::App& model);
void add_model_validate(CLI::App& model);

} // namespace bursar
