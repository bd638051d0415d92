#pragma once

#include <string_view>

#include "policies/describe/option.hpp"
#include "policies/rules/shortest_remaining.hpp"

namespace bursar { inline namespace policies {

/// Serves the job with the least run time left, start-up or recovery included, or the least GPU
/// time left; ties by submit order. The times left of running jobs fall together, so running jobs
/// keep their order; the GPU time left of large gangs falls faster. A job that has outlived its
/// estimate has no time left, running or waiting.
///
/// Source: Schrage 1968 (SRPT is optimal for the mean response time on one server); by GPU time:
/// shortest-gpu of the simulator of Gu et al., NSDI 2019 (Tiresias).
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
         .meaning = "what counts as left of a job: run time, or GPU time",
         .choices = {"time", "gpu-time"}},
    };

    static ShortestRemainingRule from(const PolicyOptions& given) {
        return {given.value(options[0]) == 1};
    }
};

}} // namespace bursar::policies
