#pragma once

#include <cstdint>
#include <string_view>

#include "sim/plan/plan_staging.hpp"

#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Start-up waits for its image and data on the job's own GPU time.
struct NoStaging {
    static constexpr std::string_view name = "none";
    static constexpr std::string_view summary =
        "each start pulls its image and loads its data itself";
};

/// The next waiting jobs stage image and data on GPUs that are predicted to become free
/// (sim/engine/staging.hpp). Policies differ in how ends are predicted.
struct StagingAhead {
    static constexpr std::string_view cost =
        "running jobs x jobs that stage, at each event while some wait";
    static constexpr std::int64_t usual_jobs = 8;
    static constexpr OptionInfo options[] = {
        {.name = "jobs",
         .kind = OptionKind::count,
         .fallback = {usual_jobs},
         .meaning = "maximum number of jobs that stage at once: the next in the queue's order",
         .min = 1,
         .max = PlanStaging::max_jobs}};

    [[nodiscard]] static std::uint32_t jobs(const PolicyOptions& given) {
        return static_cast<std::uint32_t>(given.value(options[0]));
    }
};

struct StageByExactEnds : StagingAhead {
    static constexpr std::string_view name = "exact";
    static constexpr std::string_view summary =
        "the next jobs stage image and data so as to be ready at the end of running jobs, which is "
        "known";
    static constexpr std::string_view source =
        "stage-in of burst buffers in Slurm, with perfect predictions";
    static constexpr EndPrediction prediction = EndPrediction::exact;
};

struct StageByEstimates : StagingAhead {
    static constexpr std::string_view name = "estimate";
    static constexpr bool needs_run_times = true;
    static constexpr std::string_view summary =
        "likewise, with ends predicted from the estimated run times (policy.estimates)";
    static constexpr std::string_view source =
        "stage-in of burst buffers in Slurm, which follows the expected start of jobs";
    static constexpr EndPrediction prediction = EndPrediction::estimate;
};

struct StageByClassHistory : StagingAhead {
    static constexpr std::string_view name = "class-history";
    static constexpr std::string_view summary =
        "likewise, with ends predicted from the mean time that earlier jobs of a class held GPUs "
        "after their start-up";
    static constexpr std::string_view source =
        "Tsafrir, Etsion & Feitelson 2007 (IEEE TPDS 18(6)): run times of earlier jobs predict "
        "better than estimates of users";
    static constexpr EndPrediction prediction = EndPrediction::class_history;
};

}} // namespace bursar::policies
