#pragma once

#include <optional>
#include <string>

#include "models/training/step/generic_step.hpp"
#include "models/training/step/step_time.hpp"

#include "reports/answer/answer.hpp"

namespace bursar {

/// What a step is answered from beside its job.
struct StepContext {
    Cluster cluster;
    StackProfile profile;
    std::string network_source;          ///< where the network's shape was published
    std::optional<double> usd_per_gpu_h; ///< absent: nothing is said of money
};

/// Every term of a transformer's step, what it makes of the GPUs, and each constant with its
/// source. Throws ModelError and UnknownFact as step_time does.
Answer step_answer(const TrainingJob& job, const StepContext& context);

/// The same of any other network.
Answer step_answer(const GenericJob& job, const StepContext& context);

} // namespace bursar
