#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/scenario/scenario.hpp"
#include "scenarios/variants/variants.hpp"

#include "reports/compare/comparison.hpp"

namespace bursar {

/// Runs variants of one scenario over the same seeds and compares them with the first. Where the
/// scenario has no `until`, all runs are made twice: the first time to learn when the last one
/// ends, which is then the end of all of them, so that the same capacity is paid.
///
/// scenarios: one per variant, equal length, at least two. seeds: >= 1.
/// Throws ScenarioError, SimulationError.
Comparison compare_variants(const std::vector<Variant>& variants,
                            std::vector<Scenario> scenarios,
                            const Catalogue& catalogue,
                            std::uint64_t first_seed,
                            std::uint64_t seeds);

} // namespace bursar
