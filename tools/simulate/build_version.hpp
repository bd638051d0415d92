#pragma once

#include <string_view>

namespace bursar { inline namespace tools {

/// The version of this build; in a git checkout with its commit: "0.1.0+5.g0123456789ab".
/// Results hold it. Plan files hold `version`, as commits of one version read each other's.
extern const std::string_view build_version;

}} // namespace bursar::tools
