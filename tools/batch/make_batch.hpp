#pragma once

#include <span>

#include "tools/batch/batch_command.hpp"
#include "tools/batch/gpus.hpp"

namespace bursar { inline namespace tools {

/// Runs the plans that the options name, on the host and the GPUs that the options allow, and
/// writes the table. Logs to stderr what was done, and the plans without an answer. Returns the
/// exit code (tools/EXIT_CODES.md).
///
/// Throws BadPlan, BadCommandLine for an output that would replace a plan or another output, and
/// std::system_error for an output that cannot be written.
[[nodiscard]] int make_batch(const BatchCommand& options, std::span<const BatchGpu> gpus);

}} // namespace bursar::tools
