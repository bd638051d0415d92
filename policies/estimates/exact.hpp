#pragma once

#include <string_view>

namespace bursar { inline namespace policies {

/// The scheduler knows every run time.
struct ExactEstimates {
    static constexpr std::string_view name = "exact";
    static constexpr std::string_view summary = "the actual run times";
    static constexpr bool draws = false;
};

}} // namespace bursar::policies
