#pragma once

#include <string_view>

#include "sim/engine/setup/run_options.hpp"

#include "policies/describe/option.hpp"
#include "policies/rules/least_attained.hpp"

namespace bursar { inline namespace policies {

/// Serves the job that has had the least service so far, in levels: a job whose service reaches the
/// end of its level moves to the next. Inside a level running jobs stay before waiting ones, as in
/// Tiresias' simulator, or the job submitted first comes first, as in Pollux' version of Tiresias
/// (petuum/adaptdl, simulator/tiresias.py). Needs no run times. Source: Nuyens and Wierman 2008
/// (foreground-background); Gu et al., NSDI 2019 (Tiresias), whose discretised two-dimensional LAS
/// this is.
struct LeastAttainedFirst {
    static constexpr std::string_view name = "las";
    static constexpr std::string_view summary =
        "least attained service first, in levels; running jobs keep their turn";
    static constexpr std::string_view cost = "heads + log(running), one event per level change";
    static constexpr std::string_view source = "Tiresias (Gu et al., NSDI 2019)";

    static constexpr OptionInfo options[]{
        {.name = "by",
         .kind = OptionKind::choice,
         .meaning = "what attained service counts: GPU time or run time",
         .choices = {"gpu-time", "time"}},
        {.name = "levels",
         .kind = OptionKind::gpu_time,
         .fallback = {3'250'000, 7'200'000},
         .meaning = "attained service at which each level ends, ascending",
         .is_list = true,
         .min = 1,
         .only_with = "by",
         .only_with_value = 0},
        {.name = "times",
         .kind = OptionKind::duration,
         .fallback = {3'250'000, 7'200'000},
         .meaning = "attained service at which each level ends, ascending",
         .is_list = true,
         .min = 1,
         .only_with = "by",
         .only_with_value = 1},
        {.name = "wake",
         .kind = OptionKind::choice,
         .meaning = "when level changes take effect: exact, or at events only, with Tiresias' own "
                    "forecast of the next one",
         .choices = {"exact", "tiresias"}},
        {.name = "ties",
         .kind = OptionKind::choice,
         .meaning = "who comes first of jobs in one level: running jobs before waiting ones, or "
                    "the job submitted first",
         .choices = {"running", "submit"}},
        {.name = "starve_limit",
         .fallback = {0},
         .meaning = "a preempted job goes back to the first level, and its service counts anew, "
                    "once it has waited since then for this many times its time on GPUs "
                    "(STARVELIMIT of Tiresias); 0: never",
         .max = 1'000'000},
    };

    static PromotionRule promotion(const PolicyOptions& given) {
        const bool by_time = given.value(options[0]) == 1;
        return {given.value(options[5]), given.list(options[by_time ? 2 : 1]).front(), by_time};
    }

    static LeastAttainedRule from(const PolicyOptions& given) {
        const bool by_time = given.value(options[0]) == 1;
        return {given.list(options[by_time ? 2 : 1]),
                by_time,
                given.value(options[3]) == 1,
                given.value(options[4]) == 1 ? Ties::submit : Ties::turn};
    }
};

}} // namespace bursar::policies
