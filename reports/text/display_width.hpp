#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Text in columns of a terminal; all of it valid UTF-8.
namespace bursar { inline namespace reports {

/// Columns that `text` takes: 2 per wide character of East Asian scripts and emoji, 0 per combining
/// mark, else 1 (the ranges of Unicode 15's East Asian Width W and F, and of common combining
/// marks).
[[nodiscard]] std::size_t display_width(std::string_view text);

/// What of `text` fits into `width` columns, its end an ellipsis where something was cut; width >
/// 0.
[[nodiscard]] std::string cut_to_width(std::string_view text, std::size_t width);

/// `text` with blanks on its right, or on its left, up to `width` columns.
[[nodiscard]] std::string left_aligned(std::string_view text, std::size_t width);
[[nodiscard]] std::string right_aligned(std::string_view text, std::size_t width);

}} // namespace bursar::reports
