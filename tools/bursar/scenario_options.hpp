#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/command_line/options.hpp"
#include "tools/simulate/load_scenario.hpp"
#include "tools/sweep/sweep_plan.hpp"

namespace bursar { inline namespace tools {

/// The options that say which scenario is meant; shared by every command that reads one.
struct ScenarioOptions {
    std::string file;
    std::vector<std::string> sets;
    std::string catalogue_file; ///< empty: the built-in one
    std::string stacks_file;
    std::string architectures_file;
    std::optional<std::int64_t> seed;

    /// Adds SCENARIO (unless the command brings its own), --set, --seed, --catalog,
    /// --stacks and --architectures.
    void add_to(Command command, bool with_file = true);

    /// Throws ScenarioError where a --set is not PATH=VALUE, and UsageError where the file is a
    /// plan.
    [[nodiscard]] ScenarioSource source() const;

    /// Throws UsageError where something is asked of a plan, compiled with that seed, that only a
    /// scenario can do.
    void check_for_plan(std::uint64_t plan_seed) const;
};

/// Warnings go to stderr, a line each.
void print_warnings(const Scenario& scenario);

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
