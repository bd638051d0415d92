#pragma once

#include "scenarios/scenario/known_names.hpp"

namespace bursar { inline namespace tools {

/// Every name that a scenario may choose from, out of the registries and the built-in catalogues.
[[nodiscard]] KnownNames known_names();

}} // namespace bursar::tools
