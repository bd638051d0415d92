#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/plan/ids.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"

#include "policies/describe/option.hpp"
#include "policies/rules/gittins.hpp"

namespace bursar { inline namespace policies {

/// Serves the job most likely to end soon for the GPU time it will take, knowing how much it has
/// had and what jobs of this plan take in general, but not what this job takes: the largest Gittins
/// index
///
///     G(a) = max over d of  P(S <= a + d | S > a) / E[min(S - a, d) | S > a]
///
/// where S is the GPU time of the plan's jobs as they are believed to be, or of the jobs of a file,
/// such as last year's, and a, a + d are the ends of levels of service. Levels end at the distinct
/// values of S, or at evenly spaced ranks among them where there are more than `levels`; a job's
/// index is that of its level's begin. Inside an index running jobs keep their turn. Source:
/// Gittins 1979; Aalto, Ayesta and Righter 2009 (for queues); Gu et al., NSDI 2019 (Tiresias,
/// section 3.3: in levels, by GPU time).
struct GittinsIndexFirst {
    static constexpr std::string_view name = "gittins";
    static constexpr bool needs_run_times = true;
    static constexpr std::string_view summary =
        "highest Gittins index first, by the workload's distribution or a file's; in levels";
    static constexpr std::string_view cost = "heads + log(running), one event per level change";
    static constexpr std::string_view source = "Gittins 1979; Tiresias (Gu et al., NSDI 2019)";
    static constexpr OptionInfo options[]{
        {.name = "levels",
         .kind = OptionKind::count,
         .fallback = {32},
         .meaning = "maximum number of service levels; a job's index changes at their ends",
         .min = 1,
         .max = GittinsRule::max_levels},
        {.name = "distribution",
         .kind = OptionKind::gpu_time_file,
         .meaning = "a file of what jobs take, a GPU time a line, in place of the workload's own"},
    };

    /// Works the indices out from the jobs of `plan`. Host only.
    static GittinsRule from(const PolicyOptions& given, const Plan& plan) {
        const bool has_file = given.given().contains(options[1].name);
        return {has_file ? given.list(options[1]) : sizes_of(plan),
                static_cast<std::size_t>(given.value(options[0]))};
    }

  private:
    static std::vector<std::int64_t> sizes_of(const Plan& plan) {
        const PlanView view = view_of(plan);
        std::vector<std::int64_t> sizes(plan.num_jobs());
        for (JobId job{0}; job < view.num_jobs; ++job)
            sizes[job] = view.view(job).gpu_ms(Duration{view.believed_work_ms(job)});
        return sizes;
    }
};

}} // namespace bursar::policies
