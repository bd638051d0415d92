#pragma once

#include <cstddef>
#include <cstdio>

namespace bursar { inline namespace tools {

/// Whether `stream` is a terminal.
[[nodiscard]] bool is_terminal(std::FILE* stream);

/// Whether stdout wants colour: a terminal that is not dumb, and NO_COLOR is not set.
[[nodiscard]] bool wants_colour();

/// Whether the locale's characters are those of UTF-8, as LC_ALL, LC_CTYPE and LANG say in this
/// order; where none is set they are ASCII.
[[nodiscard]] bool shows_utf8();

/// Columns of the terminal on stdout; where there is none, what COLUMNS says (20 to 10,000), else
/// `otherwise`.
[[nodiscard]] std::size_t terminal_width(std::size_t otherwise);

}} // namespace bursar::tools
