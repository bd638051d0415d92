#pragma once

#include <string_view>

#include "policies/option.hpp"
#include "policies/rules/shortest_remaining.hpp"

namespace bursar::inline policies {

/// Serves the job with the least time left until its work ends, start-up or recovery included; ties
/// by submit order. While a job runs this falls with time, so that running jobs keep their order.
/// Source: Schrage 1968 (SRPT is optimal for the mean response time on one server).
struct ShortestRemainingFirst {
    static constexpr std::string_view name = "srtf";
    static constexpr bool needs_run_times = true;
    static constexpr std::string_view summary =
        "shortest remaining time first; ties by submit order";
    static constexpr std::string_view cost = "heads + log(running) + log(preempted)";
    static constexpr std::string_view source = "Schrage 1968 (SRPT)";

    static ShortestRemainingRule from(const PolicyOptions&) { return {}; }
};

} // namespace bursar::inline policies
