#pragma once

#include "models/training/job/training_job.hpp"

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/measurements/stated_settings.hpp"

namespace bursar { inline namespace scenarios {

/// The profile for a measurement of `framework`: the one that speaks for it, else the nearest of
/// the shipped ones (choose_stack), which is a guess and goes to `assumptions`. stacks: not empty.
const StackProfile& nearest_profile(std::string_view framework,
                                    const TrainingJob& job,
                                    const Gpu& gpu,
                                    const Stacks& stacks,
                                    Assumptions& assumptions);

}} // namespace bursar::scenarios
