#pragma once

#include <string_view>

#include "policies/describe/option.hpp"
#include "policies/rules/shortest_remaining.hpp"

namespace bursar { inline namespace policies {

/// Serves the job with the least time left until its work ends, start-up or recovery included, or
/// the least GPU time; ties by submit order. While a job runs its time falls as that of all others,
/// so that running jobs keep their order; the GPU time of large gangs falls faster. Who has
/// outlived what was believed has no work left, whether it runs or waits.
///
/// Source: Schrage 1968 (SRPT is optimal for the mean response time on one server); by GPU time
/// Gu et al., NSDI 2019 (Tiresias), whose simulator's shortest-gpu this is.
struct ShortestRemainingFirst {
    static constexpr std::string_view name = "srtf";
    static constexpr bool needs_run_times = true;
    static constexpr std::string_view summary =
        "shortest remaining time, or GPU time, first; ties by submit order";
    static constexpr std::string_view cost =
        "heads + log(running) + log(preempted); by gpu-time heads + running";
    static constexpr std::string_view source = "Schrage 1968 (SRPT)";
    static constexpr OptionInfo options[]{
        {.name = "by",
         .kind = OptionKind::choice,
         .meaning = "what is left of a job: run time, or that times its GPUs",
         .choices = {"time", "gpu-time"}},
    };

    static ShortestRemainingRule from(const PolicyOptions& given) {
        return {given.value(options[0]) == 1};
    }
};

}} // namespace bursar::policies
