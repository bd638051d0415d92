#pragma once

#include <cstddef>
#include <string_view>

namespace bursar { inline namespace scenarios {

/// The longest text that has any form, in bytes.
inline constexpr std::size_t max_form_text = 256;

/// Does the whole of `text` match `pattern`? pattern: the part of ECMAScript's regular expressions
/// that schemas and rules use: characters, `\` before one, classes `[a-z0-9-]`, groups, `|`, and
/// `?`, `*`, `+`, `{2}`, `{0,5}` after any of them. Time grows with the product of both lengths,
/// so it is safe for any text.
[[nodiscard]] bool has_form(std::string_view text, std::string_view pattern);

}} // namespace bursar::scenarios
