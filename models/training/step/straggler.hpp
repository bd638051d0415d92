#pragma once

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// Time the others wait for the slowest of `ranks` whose speeds spread by `sigma` of the mean:
/// step sigma sqrt(2 ln ranks), the expected maximum of normal draws (FORMULAS 4.11).
/// sigma: >= 0; ranks: >= 1.
Seconds straggler_wait(Seconds step, double sigma, double ranks);

/// That time over the step.
double straggler_share(double sigma, double ranks);

}} // namespace bursar::models
