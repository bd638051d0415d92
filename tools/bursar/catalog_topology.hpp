#pragma once

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// Adds `bursar catalog topology`: the fabrics by name, or one of them, of a fabric file or of the
/// pools of a scenario, drawn as text or SVG.
void add_catalog_topology(Command catalog);

}} // namespace bursar::tools
