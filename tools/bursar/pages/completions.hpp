#pragma once

#include <string>

#include "tools/command_line/command_table.hpp"

namespace bursar { inline namespace tools {

/// Scripts that complete commands, options and the values that are few; elsewhere files.
std::string bash_completion(const CommandEntry& program);
std::string zsh_completion(const CommandEntry& program);
std::string fish_completion(const CommandEntry& program);

}} // namespace bursar::tools
