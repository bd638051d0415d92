#pragma once

#include <string>
#include <string_view>

namespace bursar { inline namespace reports {

/// A name as focus.csv shows it: what finance readers open in a spreadsheet runs no formula, and no
/// character of it moves another. Control characters and such as turn the writing direction are
/// visible escapes; a name that begins as formulas do, or with the apostrophe that this takes, gets
/// an apostrophe in front.
[[nodiscard]] std::string harmless_text(std::string_view name);

/// `kind` and a name as one identifier, "tenant/a%20b": letters, digits and -._~ of the name as
/// they are, all else percent-encoded. Different names have different ones, and none is a number.
[[nodiscard]] std::string focus_id(std::string_view kind, std::string_view name);

}} // namespace bursar::reports
