#pragma once

#include "models/training/cluster.hpp"
#include "models/training/stack_profile.hpp"
#include "models/training/step/step_time.hpp"
#include "models/training/training_job.hpp"

namespace bursar { inline namespace models {

/// What of a step was timed.
enum class MeasuredPart : std::uint8_t {
    step,            ///< all of it
    forward,         ///< one forward pass
    forward_backward ///< both passes, no optimizer
};

/// A measured run and what was measured of it.
struct StepObservation {
    TrainingJob job;
    Cluster cluster;
    MeasuredPart part{MeasuredPart::step};
    Seconds measured{}; ///< > 0
};

/// What the model says was measured. Throws as step_time does.
Seconds modelled_time(const TrainingJob& job,
                      const Cluster& cluster,
                      MeasuredPart part,
                      const StackProfile& profile);

}} // namespace bursar::models
