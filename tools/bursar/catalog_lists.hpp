#pragma once

#include <string_view>
#include <vector>

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// The catalogues beside that of GPUs that are lists: "models", "links", ...
[[nodiscard]] std::vector<std::string_view> catalog_list_names();

/// Adds each of them to `bursar catalog`.
void add_catalog_lists(Command catalog);

}} // namespace bursar::tools
