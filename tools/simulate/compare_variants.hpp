#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "scenarios/variants/variants.hpp"

#include "reports/compare/comparison.hpp"
#include "reports/result/result.hpp"

#include "tools/simulate/load_scenario.hpp"
#include "tools/simulate/progress.hpp"

namespace bursar { inline namespace tools {

struct CompareSettings {
    std::optional<std::int64_t> seed{};  ///< of the first runs, >= 0; absent: the base's own
    std::optional<std::int64_t> seeds{}; ///< how many, >= 1; absent: as the base says
    std::size_t threads{1};              ///< >= 1; the comparison is the same for any number
    OnProgress on_progress{};            ///< of the runs
    /// Gets the first run of each variant, as `bursar run` has it: with its timeline, and all
    /// seeds in its `repeats`. Called once all runs are made and compared, from several threads.
    /// What it throws ends the comparison.
    std::function<void(std::size_t variant, const Result& result)> on_result{};
};

/// Runs variants of one scenario over the same seeds and compares them with the first, the base.
/// Where nothing in them is random, each runs once. Each run is that of `bursar run` for the
/// variant and the seed, and its cost does not depend on what else is compared.
///
/// scenarios: one per variant, at least two; as load_variants gives them.
/// Throws ScenarioError, SimulationError: that of the first run that has one.
[[nodiscard]] Comparison compare_variants(const std::vector<Variant>& variants,
                                          const std::vector<LoadedScenario>& scenarios,
                                          const CompareSettings& settings = {});

}} // namespace bursar::tools
