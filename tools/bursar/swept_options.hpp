#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/bursar/scenario_options.hpp"
#include "tools/command_line/options.hpp"
#include "tools/sweep/sweep_plan.hpp"

namespace bursar { inline namespace tools {

/// The options that say what is swept: a scenario, and what of it changes.
struct SweptOptions {
    ScenarioOptions input;
    std::vector<std::string> vary;
    std::optional<std::int64_t> seeds;
    std::optional<std::int64_t> max_scenarios;
    std::optional<double> prune;

    /// Adds SCENARIO, its options, --vary, --seeds, --max-scenarios and --prune.
    void add_to(Command command);

    /// Throws UsageError where there is no SCENARIO, or it is a plan and something is asked of it
    /// that only a scenario can do; ScenarioError where an axis cannot be read, BadPlan.
    [[nodiscard]] SweepRequest request() const;

  private:
    void add_plan(SweepRequest& request) const;
};

}} // namespace bursar::tools
