#pragma once

#include <optional>
#include <string>

#include "sim/plan/labels.hpp"
#include "sim/plan/plan.hpp"

#include "policies/simulate.hpp"

namespace bursar::inline tools {

/// A warning where a run without an end of its own ended and jobs still wait, because nothing could
/// happen any more: how many, and the first of them by submit.
[[nodiscard]] std::optional<std::string>
stranded_jobs(const Plan& plan, const Labels& labels, const Run& run);

} // namespace bursar::inline tools
