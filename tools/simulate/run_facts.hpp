#pragma once

#include <string>

#include "scenarios/compile/compile.hpp"
#include "scenarios/scenario/scenario.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace tools {

/// What is known of a run before it is made.
[[nodiscard]] RunFacts facts_of(const Scenario& scenario, const Compiled& compiled);

/// What intervals over seeds of a scenario cover, and what they do not. Its seeds differ.
[[nodiscard]] std::string seeds_sentence(const Scenario& scenario);

/// The policies of a scenario, as it would write them.
[[nodiscard]] PolicyLabels labels_of(const Scenario& scenario);

}} // namespace bursar::tools
