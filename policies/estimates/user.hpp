#pragma once

#include <string_view>

namespace bursar { inline namespace policies {

/// What the user asked for, as the trace has it. A job never ends because its estimate did.
struct UserEstimates {
    static constexpr std::string_view name = "user";
    static constexpr std::string_view summary =
        "the run times that users requested, from the trace";
    static constexpr bool draws = false;
};

}} // namespace bursar::policies
