#pragma once

#include <span>

#include "tools/batch/batch_command.hpp"
#include "tools/batch/gpus.hpp"

namespace bursar { inline namespace tools {

/// Runs the plans that the options name, on the host and on those GPUs as they say, and writes the
/// table. Says on stderr what was done, and what has no answer. The exit code
/// (tools/EXIT_CODES.md).
///
/// Throws BadPlan, BadCommandLine where an output would take the place of a plan or another, and
/// std::system_error where an output cannot be written.
[[nodiscard]] int make_batch(const BatchCommand& options, std::span<const BatchGpu> gpus);

}} // namespace bursar::tools
