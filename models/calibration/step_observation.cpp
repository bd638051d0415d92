#include "models/calibration/step_observation.hpp"

namespace bursar { inline namespace models {

Seconds modelled_time(const TrainingJob& job,
                      const Cluster& cluster,
                      MeasuredPart part,
                      const StackProfile& profile) {
    const StepTime step = step_time(job, cluster, profile);
    switch (part) {
    case MeasuredPart::step:
        return step.total();
    case MeasuredPart::forward: {
        // Backward products take twice the forward ones; the host shares by its own times.
        const double host = profile.host_forward / (profile.host_forward + profile.host_backward);
        return (step.gemm + step.attention + step.memory_bound + step.tensor_comm) / 3.0 +
               host * step.host;
    }
    case MeasuredPart::forward_backward:
        return step.total() - step.optimizer;
    }
    return step.total();
}

}} // namespace bursar::models
