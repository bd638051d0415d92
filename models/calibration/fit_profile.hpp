#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/calibration/bounded_fit.hpp"
#include "models/calibration/error_statistics.hpp"
#include "models/calibration/step_observation.hpp"

namespace bursar { inline namespace models {

/// A profile fitted to measured step times.
struct ProfileFit {
    StackProfile profile;
    std::vector<std::string> free;     ///< the constants that were fitted
    std::vector<std::string> at_bound; ///< those that were driven onto a bound: the rows want more
                                       ///< than physics allows
};

/// Fits the constants `free` (names of profile_constants()) of `start` to `observations`: least
/// squares of ln(modelled / measured) within each constant's physical bounds, regularised towards
/// the starting values, the more the fewer observations there are: few move little, and many
/// decide (FORMULAS 4.13; Hoerl and Kennard 1970). Deterministic.
///
/// Throws ModelError for an unknown constant, for no observation, and as step_time does: leave out
/// rows that the model cannot answer.
ProfileFit fit_profile(std::span<const StepObservation> observations,
                       const StackProfile& start,
                       std::span<const std::string> free,
                       const FitOptions& options = {});

/// The constants that `observations` can tell anything about: moving one over its bounds moves some
/// modelled time by 1 % or more. At most `max_constants`, those that move the times furthest, in
/// the order of profile_constants().
std::vector<std::string> decisive_constants(std::span<const StepObservation> observations,
                                            const StackProfile& profile,
                                            std::size_t max_constants);

/// The errors of `profile` on `observations`.
ErrorStatistics profile_errors(std::span<const StepObservation> observations,
                               const StackProfile& profile);

}} // namespace bursar::models
