#pragma once

#include <string>
#include <string_view>

#include "tools/command_line/command_table.hpp"

namespace bursar { inline namespace tools {

/// Name of the manual page of a command: "bursar-trace-info".
std::string page_name(const CommandEntry& command);

/// The manual page of a command, in troff's man macros. version: of the program.
std::string man_page(const CommandEntry& command, std::string_view version);

/// Scripts that complete commands, options and the values with known names; else files.
std::string bash_completion(const CommandEntry& program);
std::string zsh_completion(const CommandEntry& program);
std::string fish_completion(const CommandEntry& program);

}} // namespace bursar::tools
