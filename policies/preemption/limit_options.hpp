#pragma once

#include "sim/engine/setup/run_options.hpp"

#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Options of preemptions that choose victims one by one.
inline constexpr OptionInfo max_per_job_option{.name = "max_per_job",
                                               .kind = OptionKind::count,
                                               .fallback = {PreemptionLimits::no_limit},
                                               .meaning = "maximum preemptions of one job",
                                               .max = PreemptionLimits::no_limit,
                                               .max_is_no_limit = true};
inline constexpr OptionInfo min_run_option{
    .name = "min_run",
    .kind = OptionKind::duration,
    .meaning = "time that an attempt holds its GPUs before it may be preempted"};
inline constexpr OptionInfo grace_option{
    .name = "grace",
    .kind = OptionKind::duration,
    .meaning =
        "time that a preempted attempt keeps working before it stops; with `checkpoint: {every: "
        "...}` it makes no extra save"};

inline PreemptionLimits limits_from(const PolicyOptions& options) {
    PreemptionLimits limits;
    limits.max_per_job = static_cast<std::uint32_t>(options.value(max_per_job_option));
    limits.min_run_ms = options.value(min_run_option);
    limits.grace_ms = options.value(grace_option);
    return limits;
}

}} // namespace bursar::policies
