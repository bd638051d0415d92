#pragma once

#include <optional>

#include "reports/answer/answer.hpp"

#include "tools/model/options/job_options.hpp"

namespace bursar { inline namespace tools {

/// What `bursar model step` is asked.
struct StepQuestion {
    JobQuestion asked;
    bool anyway{};                          ///< though it does not fit
    std::optional<double> usd_per_gpu_hour; ///< absent: nothing is said of money
};

/// Every term of a step, what it makes of the GPUs, and each constant with its source. Throws
/// ModelError for a job that does not fit, unless it is asked anyway; else ModelError and
/// UnknownFact as step_time does.
[[nodiscard]] Answer step_answer(const StepQuestion& question);

}} // namespace bursar::tools
