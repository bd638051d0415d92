#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bursar { inline namespace scenarios {

/// The values between the commas of a list that is written in one line, without blanks around them:
/// `fifo,{name: las, by: time}` holds two. Commas inside of brackets, braces and quotes part
/// nothing, and quotes stay. Nothing where brackets or quotes do not match. separator: what stands
/// between values, in place of commas.
std::optional<std::vector<std::string>> split_list(std::string_view text, char separator = ',');

/// `text` without the quotes around it, where there are some.
std::string_view without_quotes(std::string_view text);

}} // namespace bursar::scenarios
