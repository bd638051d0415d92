#pragma once

#include <string_view>

namespace bursar { inline namespace reports {

/// The script that lets one point at charts and zoom into them, bundled from interactive/; empty
/// where the program was built without it (BURSAR_INTERACTIVE).
[[nodiscard]] std::string_view page_script();

}} // namespace bursar::reports
