#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/plan/labels.hpp"
#include "sim/plan/plan.hpp"

#include "policies/simulate.hpp"

namespace bursar { inline namespace tools {

/// Why jobs still wait at the end of a run.
enum class Stranded : std::uint8_t { for_good, by_budget };

/// A warning where a run without an end of its own ended and jobs still wait, because nothing could
/// happen any more, or because they may not start: how many, and the first of them by submit.
[[nodiscard]] std::optional<std::string>
stranded_jobs(const Plan& plan, const Labels& labels, const Run& run, Stranded why);

}} // namespace bursar::tools
