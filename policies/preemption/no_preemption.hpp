#pragma once

#include <string_view>

namespace bursar { inline namespace policies {

/// A running job runs to its end.
struct NoPreemption {
    static constexpr std::string_view name = "none";
    static constexpr std::string_view summary = "running jobs are never preempted";
};

}} // namespace bursar::policies
