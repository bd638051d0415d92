#pragma once

#include <string_view>

namespace bursar {

/// The text of scenarios/catalog/gpus.yaml as of the build.
extern const std::string_view builtin_gpus_yaml;

} // namespace bursar
