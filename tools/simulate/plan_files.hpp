#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/simulate/load_scenario.hpp"
#include "tools/simulate/plan_origin.hpp"
#include "tools/simulate/run_scenario.hpp"

/// Compiled runs as plan files (sim/plan_file/README.md): what a run needs, without its trace.
namespace bursar { inline namespace tools {

/// Whether that file is a plan rather than a scenario: by its first bytes, or, where they cannot be
/// read or are damaged, by its name (*.bplan).
[[nodiscard]] bool is_plan_file(const std::string& path);

/// The source with the text of its file. A plan is compiled from the text that it holds. Throws
/// ScenarioError where the file cannot be read.
[[nodiscard]] ScenarioSource with_text(ScenarioSource source);

/// The plan file of a run. source: with its text; `run` was compiled from it. Throws ScenarioError
/// where a file that the scenario names cannot be read a second time.
[[nodiscard]] std::vector<std::byte> plan_file_of(const ScenarioSource& source,
                                                  const CompiledRun& run);

/// A run as it was compiled.
struct LoadedPlan {
    CompiledRun run;
    PlanOrigin origin;
    std::vector<std::string> inputs; ///< every file that was read
};

/// Throws BadPlan, with the file and what is wrong with it, or with what the scenario in it names:
/// a file of prices that is gone, or has changed since.
[[nodiscard]] LoadedPlan load_plan(const std::string& path);

}} // namespace bursar::tools
