#pragma once

#include <string_view>

#include "policies/describe/option.hpp"
#include "policies/rules/finish_time.hpp"

namespace bursar { inline namespace policies {

/// Serves the job whose finish-time fairness rho is the worst; ties by submit order. rho is
/// (elapsed + remaining) / isolated: what it will have taken if it starts now, over its run time
/// had it had its share of the fleet to itself all along.
///
/// A job's share of the fleet is the weight of its tenant over the weights of all jobs that wait or
/// run, 1/n where none are given. A gang larger than its share runs isolated as many times slower;
/// one that is smaller, at full speed (Gavel's cap at one).
/// Source: Mahajan et al., Themis, NSDI 2020; Narayanan et al., Gavel, OSDI 2020, section 4.1.
struct FinishTimeFairness {
    static constexpr std::string_view name = "ftf";
    static constexpr bool needs_run_times = true;
    static constexpr std::string_view summary =
        "worst finish-time fairness first: (elapsed + remaining) over the time on its own share";
    static constexpr std::string_view cost =
        "log(waiting jobs); one look at each gang shape and tenant weight that has jobs waiting";
    static constexpr std::string_view source =
        "Mahajan et al., NSDI 2020; Narayanan et al., OSDI 2020";

    static FinishTimeRule from(const PolicyOptions&) { return {}; }
};

}} // namespace bursar::policies
