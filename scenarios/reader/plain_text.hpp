#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace scenarios {

/// `text` with the letters A to Z small; other bytes stay.
std::string lower_case(std::string_view text);

/// `text` without the blanks, tabs and line ends around it.
std::string_view trimmed(std::string_view text);

/// The runs of letters and digits in `text`, in lower case: "a100", "sxm4", "80gb".
std::vector<std::string> words_of(std::string_view text);

/// Does `part` stand anywhere in `text`?
inline bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

}} // namespace bursar::scenarios
