#pragma once

#include <string_view>

#include "policies/describe/option.hpp"
#include "policies/rules/finish_time.hpp"

namespace bursar { inline namespace policies {

/// Serves the job whose finish-time fairness rho is the worst; ties by submit order. rho is
/// (elapsed + remaining) / isolated: its completion time if it starts now, over its run time on its
/// own share of the fleet.
///
/// A job's share of the fleet is the weight of its tenant over the weights of all jobs that wait or
/// run, 1/n without weights. In isolation a gang k times as large as its share runs k times slower,
/// a smaller one at full speed (Gavel's cap at one). Source: Mahajan et al., Themis, NSDI 2020;
/// Narayanan et al., Gavel, OSDI 2020, section 4.1.
struct FinishTimeFairness {
    static constexpr std::string_view name = "ftf";
    static constexpr bool needs_run_times = true;
    static constexpr std::string_view summary =
        "worst finish-time fairness first: (elapsed + remaining) over the time on its own share";
    static constexpr std::string_view cost =
        "log(waiting jobs) + one step per gang shape and tenant weight with waiting jobs";
    static constexpr std::string_view source =
        "Mahajan et al., NSDI 2020; Narayanan et al., OSDI 2020";

    static FinishTimeRule from(const PolicyOptions&) { return {}; }
};

}} // namespace bursar::policies
