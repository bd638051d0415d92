#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bursar {

/// Suggestions for a name that is not known.
///
/// The known names closest to `unknown` in edits (Levenshtein 1966; insert, delete, replace), when
/// at most a third of the letters differ or one name holds the other:
/// `did you mean "a" or "b"?`; else empty.
std::string did_you_mean(std::string_view unknown, std::span<const std::string_view> known);

/// "a, b, c"
std::string listed(std::span<const std::string_view> names);

} // namespace bursar
