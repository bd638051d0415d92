#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/command_line/option_table.hpp"
#include "tools/simulate/load_scenario.hpp"
#include "tools/sweep/sweep_plan.hpp"

namespace bursar { inline namespace tools {

/// Options that select and change a scenario; shared by every command that reads one.
struct ScenarioOptions {
    std::string file;
    std::vector<std::string> sets;
    std::string catalogue_file; ///< empty: the built-in one
    std::string stacks_file;
    std::string architectures_file;
    std::optional<std::int64_t> seed;

    /// Throws ScenarioError if a --set is not PATH=VALUE, UsageError if the file is a plan.
    [[nodiscard]] ScenarioSource source() const;

    /// Throws UsageError if an option was given that a plan, compiled with that seed, cannot
    /// follow.
    void check_for_plan(std::uint64_t plan_seed) const;
};

/// The file as the positional argument `name`, --set, --seed, --catalog, --stacks, --architectures.
[[nodiscard]] OptionTable<ScenarioOptions>
scenario_options(const std::string& help = "scenario file (YAML)",
                 const std::string& name = "SCENARIO");

/// Logs the warnings of a scenario, one per line.
void print_warnings(const Scenario& scenario);

/// The scenario of a sweep and its axes.
struct SweptOptions {
    ScenarioOptions input;
    std::vector<std::string> vary;
    std::optional<std::int64_t> seeds;
    std::optional<std::int64_t> max_scenarios;
    std::optional<double> prune;

    /// Throws UsageError without a SCENARIO, or for options that a plan cannot follow;
    /// ScenarioError for an axis that cannot be read, BadPlan.
    [[nodiscard]] SweepRequest request() const;

  private:
    void add_plan(SweepRequest& request) const;
};

[[nodiscard]] OptionTable<SweptOptions> swept_options();

}} // namespace bursar::tools
