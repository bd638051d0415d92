#pragma once

#include "sim/plan/notes.hpp"

#include "scenarios/compile/compiled/compiled.hpp"
#include "scenarios/compile/features/feature.hpp"

namespace bursar { inline namespace scenarios {

/// Writes Plan::staging, where a class has something to stage.
void plan_staging(const CompileInput& input, Compiled& compiled);

/// That nothing can be staged, or what is assumed about the GPUs on which it is.
[[nodiscard]] Notes staging_notes(const CompileInput& input, const Compiled& compiled);

}} // namespace bursar::scenarios
