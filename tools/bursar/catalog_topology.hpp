#pragma once

#include <CLI/CLI.hpp>

namespace bursar {

/// Adds `bursar catalog topology`: the fabrics by name, or one of them, of a fabric file or of the
/// pools of a scenario, drawn as text or SVG.
void add_catalog_topology(CLI::App& catalog);

} // namespace bursar
