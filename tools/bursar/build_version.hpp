#pragma once

#include <string_view>

namespace bursar { inline namespace tools {

/// The version of this build, by git where it was built in a checkout: "0.1.0+5.g0123456789ab".
/// What results hold is `version` alone: equal runs are equal whichever commit made them.
extern const std::string_view build_version;

}} // namespace bursar::tools
