#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tools/command_line/command_table.hpp"

namespace bursar { inline namespace tools {

/// Name of the manual page of a command: "bursar-trace-info".
std::string page_name(const CommandEntry& command);

/// The manual page of a command, in troff's man macros. version: of the program.
std::string man_page(const CommandEntry& command, std::string_view version);

/// A path that `--set` and `--vary` take.
struct Setting {
    std::string path;                ///< "policy.queue", "fleet.*.gpu"; *: a name of the user
    std::vector<std::string> values; ///< those with a name; may be empty
};
/// Every path of a scenario, in the order of its JSON Schema.
std::vector<Setting> settings_of(const std::string& schema);

/// Scripts that complete commands, options, settings and the values with known names; else files.
std::string bash_completion(const CommandEntry& program, std::span<const Setting> settings);
std::string zsh_completion(const CommandEntry& program, std::span<const Setting> settings);
std::string fish_completion(const CommandEntry& program, std::span<const Setting> settings);

/// "policy.queue= policy.head= ": the paths without a name of the user, with a blank behind each.
std::string setting_paths(std::span<const Setting> settings);
/// Lines of a shell's `case` or `switch` that find the values of a path. form: of a line, with the
/// path and its values between blanks as arguments.
std::string setting_values(std::span<const Setting> settings,
                           fmt::format_string<const std::string&, std::string> form);

}} // namespace bursar::tools
