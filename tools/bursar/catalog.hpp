#pragma once

#include <string_view>
#include <vector>

#include "tools/command_line/options.hpp"

/// The subcommands of `bursar catalog`.
namespace bursar { inline namespace tools {

/// Names of the catalogues that are lists, other than that of GPUs: "models", "links", ...
[[nodiscard]] std::vector<std::string_view> catalog_list_names();

/// Adds each of these lists.
void add_catalog_lists(Command catalog);

/// Adds `bursar catalog topology`: lists the known fabrics, or draws one of them, a fabric file or
/// the pools of a scenario, as text or SVG.
void add_catalog_topology(Command catalog);

}} // namespace bursar::tools
