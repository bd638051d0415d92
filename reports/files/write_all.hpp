#pragma once

#include <string_view>

namespace bursar { inline namespace reports {

/// Writes all of `text` to an open file; false, with errno set, where it cannot.
[[nodiscard]] bool write_all(int descriptor, std::string_view text);

}} // namespace bursar::reports
