#pragma once

#include "tools/cluster/mpi/ranks.hpp"
#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// Adds `sweep`, which all ranks run together. code: the exit code of all of them; what goes wrong
/// is told on stderr, by the rank where it did.
void add_sweep_on_ranks(Command program, const Ranks& ranks, int& code);

}} // namespace bursar::tools
