#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace reports {

/// `text` (valid UTF-8 without control characters) in lines of at most `width` columns, broken at
/// blanks; a longer word is broken where it must be. width: >= 2. Never empty: a text without words
/// is one empty line.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}} // namespace bursar::reports
