#pragma once

#include "tools/bursar/options.hpp"

namespace bursar::inline tools {

/// Adds the other catalogues to `bursar catalog`: models, stacks, carbon, links, failures and
/// storage, each as a list.
void add_catalog_lists(Command catalog);

} // namespace bursar::inline tools
