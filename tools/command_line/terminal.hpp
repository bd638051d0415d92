#pragma once

#include <cstddef>
#include <cstdio>

namespace bursar { inline namespace tools {

/// Whether `stream` is a terminal.
[[nodiscard]] bool is_terminal(std::FILE* stream);

/// Whether stdout is a terminal with colours and NO_COLOR is not set.
[[nodiscard]] bool wants_colour();

/// Whether the locale is UTF-8: the first of LC_ALL, LC_CTYPE and LANG that is set decides; none
/// set means ASCII.
[[nodiscard]] bool shows_utf8();

/// Columns of the terminal on stdout. Without a terminal: COLUMNS (20 to 10,000), else `otherwise`.
[[nodiscard]] std::size_t terminal_width(std::size_t otherwise);

}} // namespace bursar::tools
