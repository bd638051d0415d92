#pragma once

#include <string_view>

namespace bursar { inline namespace scenarios {

// The texts of the catalogues of scenarios/catalog as of the build.
extern const std::string_view builtin_gpus_yaml;
extern const std::string_view builtin_links_yaml;
extern const std::string_view builtin_servers_yaml;
extern const std::string_view builtin_architectures_yaml;
extern const std::string_view builtin_stacks_yaml;
extern const std::string_view builtin_carbon_yaml;
extern const std::string_view builtin_failures_yaml;
extern const std::string_view builtin_storage_yaml;
extern const std::string_view builtin_topologies_yaml;
extern const std::string_view builtin_precision_yaml;
extern const std::string_view builtin_profiles_yaml;

}} // namespace bursar::scenarios
