#pragma once

#include <string_view>

namespace bursar {

/// The text of scenarios/catalog/carbon.yaml as of the build.
extern const std::string_view builtin_carbon_yaml;

} // namespace bursar
