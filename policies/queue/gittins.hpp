#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"

#include "policies/describe/option.hpp"
#include "policies/queue/gittins_levels.hpp"
#include "policies/rules/gittins.hpp"

namespace bursar { inline namespace policies {

/// Serves the job with the largest Gittins index: the most likely to end soon per GPU time spent.
/// It uses the service that a job has had and the distribution of sizes in the plan, but not the
/// size of the job:
///
///     G(a) = max over d of  P(S <= a + d | S > a) / E[min(S - a, d) | S > a]
///
/// S: the estimated GPU time of the plan's jobs, or of the jobs of a file (such as last year's). a,
/// a + d: ends of service levels. Levels end at the distinct values of S, or at evenly spaced ranks
/// of them where there are more than `levels`. The index of a job is that of its level's begin.
/// Among equal indices, running jobs come before waiting ones. Source: Gittins 1979; Aalto, Ayesta
/// and Righter 2009 (for queues); Gu et al., NSDI 2019 (Tiresias, section 3.3: in levels, by GPU
/// time).
///
/// `index: tiresias` is what the simulator of that paper has in its place (run_sim.py,
/// cal_r_gittins_index, without its rounding). It looks ahead by a fixed d, begins one second
/// before a level ends, and counts the whole size of jobs that end within d, not what is left of
/// it:
///
///     G(a) = P(S <= a + d | S > a) / E[S if S <= a + d, otherwise d | S > a]
///
/// Its dlas-gpu-gittins compares queues of las first (`queues`, `wake: tiresias`), then this index,
/// then submit times (`ties: submit`).
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
         .max = GittinsLevels::max_levels},
        {.name = "distribution",
         .kind = OptionKind::gpu_time_file,
         .meaning =
             "file of GPU times of jobs, one per line, in place of the workload's distribution"},
        {.name = "index",
         .kind = OptionKind::choice,
         .meaning = "how far the index looks ahead: as far as is best, or by `delta` and in the "
                    "form of Tiresias' simulator, which counts service twice",
         .choices = {"best", "tiresias"}},
        {.name = "delta",
         .kind = OptionKind::gpu_time,
         .fallback = {3'250'000},
         .meaning = "GPU time by which that simulator looks ahead",
         .min = 1,
         .only_with = "index",
         .only_with_value = 1},
        {.name = "queues",
         .kind = OptionKind::gpu_time,
         .fallback = {},
         .meaning = "attained GPU time at which each queue ends, ascending; a lower queue comes "
                    "first, then the index",
         .is_list = true,
         .min = 1},
        {.name = "ties",
         .kind = OptionKind::choice,
         .meaning = "who comes first of jobs with one index: running jobs before waiting ones, or "
                    "the job submitted first",
         .choices = {"running", "submit"}},
        {.name = "wake",
         .kind = OptionKind::choice,
         .meaning = "when changes take effect: exact, or at events only, with Tiresias' own "
                    "forecast of the next end of a queue",
         .choices = {"exact", "tiresias"}},
        {.name = "starve_limit",
         .fallback = {0},
         .meaning = "a preempted job goes back to the first of `queues`, and its service counts "
                    "anew, once it has waited since then for this many times its time on GPUs "
                    "(STARVELIMIT of Tiresias); 0: never",
         .max = 1'000'000},
    };

    static PromotionRule promotion(const PolicyOptions& given) {
        const std::vector<std::int64_t> queues = given.list(options[4]);
        return {queues.empty() ? 0 : given.value(options[7]),
                queues.empty() ? 0 : queues.front(),
                /*by_time=*/false};
    }

    /// The rule without its levels, which it reads from the order of a run.
    static GittinsRule from(const PolicyOptions& given) {
        return {{given.list(options[4]), /*by_time=*/false, given.value(options[6]) == 1},
                given.value(options[5]) == 1 ? Ties::submit : Ties::turn};
    }

    /// Computes the indices from the jobs of `plan`. Host only.
    static GittinsLevels from(const PolicyOptions& given, const Plan& plan) {
        const bool has_file = given.given().contains(options[1].name);
        return {has_file ? given.list(options[1]) : sizes_of(plan),
                static_cast<std::size_t>(given.value(options[0])),
                given.value(options[2]) == 1 ? given.value(options[3]) : 0,
                from(given)};
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
