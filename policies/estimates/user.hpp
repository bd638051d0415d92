#pragma once

#include <string_view>

namespace bursar { inline namespace policies {

/// The run time that the user requested, from the trace. A job is not stopped at the end of its
/// estimate.
struct UserEstimates {
    static constexpr std::string_view name = "user";
    static constexpr std::string_view summary =
        "the run times that users requested, from the trace";
    static constexpr bool draws = false;
};

}} // namespace bursar::policies
