#pragma once

#include <string_view>

#include "policies/preemption/limit_options.hpp"

namespace bursar { inline namespace policies {

/// A waiting job that does not fit may stop running jobs of strictly lower priority. Priority then
/// comes before the queue's order, which decides among equals.
///
/// Victims are taken lowest priority first; of equal priority those that lose least GPU time first
/// (work to be done again, the save and the recovery, on all GPUs of the gang), then larger gangs,
/// then later jobs, until the gang fits. Then victims that are not needed after all are spared,
/// highest priority and highest loss first.
struct PreemptByPriority {
    static constexpr std::string_view name = "priority";
    static constexpr std::string_view summary =
        "a waiting job preempts running ones of lower priority, least GPU time lost first";
    static constexpr std::string_view needs = "priority";
    static constexpr std::string_view cost = "per event: heads of the queue; per preemption: O(log "
                                             "running), O(running) with saves other "
                                             "than at a stop";
    static constexpr std::string_view source =
        "kube-scheduler's preemption (victims reprieved from the highest priority down)";
    static constexpr OptionInfo options[]{max_per_job_option, min_run_option, grace_option};

    PreemptionLimits limits;

    static PreemptByPriority from(const PolicyOptions& given) { return {limits_from(given)}; }
};

}} // namespace bursar::policies
