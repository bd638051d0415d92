#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/calibration/bounded_fit.hpp"
#include "models/calibration/validation.hpp"
#include "models/training/job/cluster.hpp"
#include "models/training/job/stack_profile.hpp"
#include "models/training/job/training_job.hpp"
#include "models/training/step/step_time.hpp"

namespace bursar { inline namespace models {

/// The timed part of a step.
enum class MeasuredPart : std::uint8_t {
    step,            ///< all of it
    forward,         ///< one forward pass
    forward_backward ///< both passes, no optimizer
};

/// A measured run, with the timed part of its step.
struct StepObservation {
    TrainingJob job;
    Cluster cluster;
    MeasuredPart part{MeasuredPart::step};
    Seconds measured{}; ///< > 0
};

/// The modelled time of that part. Throws as step_time does.
Seconds modelled_time(const TrainingJob& job,
                      const Cluster& cluster,
                      MeasuredPart part,
                      const StackProfile& profile);

/// A profile fitted to measured step times.
struct ProfileFit {
    StackProfile profile;
    std::vector<std::string> free; ///< the constants that were fitted
    std::vector<std::string>
        at_bound; ///< those that ended on a bound: the rows fit best beyond physical limits
};

/// Fits the constants `free` (names of profile_constants()) of `start` to `observations`: least
/// squares of ln(modelled / measured) within each constant's physical bounds, regularised towards
/// the starting values, more strongly with fewer observations (FORMULAS 4.13; Hoerl and Kennard
/// 1970). Deterministic.
///
/// Throws ModelError for an unknown constant, for no observation, and as step_time does: leave out
/// rows that the model cannot answer.
ProfileFit fit_profile(std::span<const StepObservation> observations,
                       const StackProfile& start,
                       std::span<const std::string> free,
                       const FitOptions& options = {});

/// The constants that `observations` determine: moving one over its bounds changes a modelled time
/// by 1 % or more. At most `max_constants`, those with the largest change, in the order of
/// profile_constants().
std::vector<std::string> decisive_constants(std::span<const StepObservation> observations,
                                            const StackProfile& profile,
                                            std::size_t max_constants);

/// The errors of `profile` on `observations`.
ErrorStatistics profile_errors(std::span<const StepObservation> observations,
                               const StackProfile& profile);

}} // namespace bursar::models
