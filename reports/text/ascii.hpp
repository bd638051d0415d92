#pragma once

#include <string>
#include <string_view>

namespace bursar { inline namespace reports {

/// `text` in ASCII, for terminals that show nothing else: each character becomes one that is like
/// it, or '?', and takes as many columns as before. Ill-formed bytes become '?', too.
[[nodiscard]] std::string ascii_text(std::string_view text);

}} // namespace bursar::reports
