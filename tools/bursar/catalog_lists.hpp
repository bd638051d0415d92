#pragma once

#include <CLI/CLI.hpp>

namespace bursar {

/// Adds the other catalogues to `bursar catalog`: models, stacks and carbon, each as a list.
void add_catalog_lists(CLI::App& catalog);

} // namespace bursar
