#pragma once

#include <string_view>

namespace bursar { inline namespace scenarios {

/// Is the whole of `text` of the form `pattern`? pattern: what schemas and rules here use of an
/// ECMAScript regular expression: characters, `\` before one, classes `[a-z0-9-]`, groups, `|`, and
/// `?`, `*`, `+`, `{2}`, `{0,5}` behind any of them. Time grows with the product of both lengths,
/// so any text may be asked about.
[[nodiscard]] bool has_form(std::string_view text, std::string_view pattern);

}} // namespace bursar::scenarios
