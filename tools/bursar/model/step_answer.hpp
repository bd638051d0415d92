#pragma once

#include <optional>

#include "reports/answer/answer.hpp"

#include "tools/bursar/model/options/job_options.hpp"

namespace bursar::inline tools {

/// What `bursar model step` is asked.
struct StepQuestion {
    JobQuestion asked;
    bool in_passes{}; ///< of a generic network: its share of the batch is cut into micro-batches
    std::optional<double> usd_per_gpu_hour; ///< absent: nothing is said of money
};

/// Every term of a step, what it makes of the GPUs, and each constant with its source. Throws
/// ModelError and UnknownFact as step_time does.
[[nodiscard]] Answer step_answer(const StepQuestion& question);

} // namespace bursar::inline tools
