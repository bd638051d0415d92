#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace scenarios {

/// `text` with the letters A to Z in lower case; other bytes stay.
std::string lower_case(std::string_view text);

/// `text` without the blanks, tabs and line ends around it.
std::string_view trimmed(std::string_view text);

/// The runs of letters and digits in `text`, in lower case: "a100", "sxm4", "80gb".
std::vector<std::string> words_of(std::string_view text);

/// Does `part` stand anywhere in `text`?
inline bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// The values of a list in one line, split at commas, without blanks around them:
/// `fifo,{name: las, by: time}` has two. Commas inside of brackets, braces and quotes do not split,
/// and quotes stay. Absent if brackets or quotes do not match. separator: in place of commas.
std::optional<std::vector<std::string>> split_list(std::string_view text, char separator = ',');

/// `text` without the quotes around it, if any.
std::string_view without_quotes(std::string_view text);

}} // namespace bursar::scenarios
