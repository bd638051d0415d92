#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/plan/notes.hpp"

#include "reports/result/result.hpp"

#include "tools/simulate/acted_run.hpp"

namespace bursar { inline namespace tools {

/// A run that has ended, as features read it.
struct FinishedRun {
    const RunSetup& setup;
    const ActedRun& acted;
    bool has_budgets{}; ///< the result shows budgets and months

    [[nodiscard]] const Scenario& scenario() const { return setup.compiled.scenario; }
    [[nodiscard]] const Compiled& compiled() const { return *setup.compiled.compiled; }
    [[nodiscard]] const Run& left() const { return acted.drawn.run; }
    [[nodiscard]] const Plan& plan() const { return acted.plan_of(setup.compiled); }
    /// With the prices that it pays, where they follow from the run.
    [[nodiscard]] const Plan& billed_plan() const { return acted.billed_plan_of(setup.compiled); }
    [[nodiscard]] Duration end() const { return left().outcome.end; }
    [[nodiscard]] std::optional<std::int64_t> zero_utc_ms() const {
        return compiled().labels.zero_utc_ms;
    }
};

/// Dollars that are not GPU time, and what was assumed of them.
struct Charges {
    std::vector<OtherCost> costs;
    Notes notes;
};

/// A feature of the world or of cost, as far as it adds to the result of a run. Null: it adds
/// nothing of that kind. What it adds to a plan is in scenarios/compile/features.cpp.
struct RunFeature {
    std::string_view name;
    /// Paths of its keys in a scenario: "workload.classes.model". scenarios/keys reads them.
    std::array<std::string_view, 2> keys{};
    Notes (*notes)(const FinishedRun&){};
    Charges (*charges)(const FinishedRun&, const Result&){};
    void (*add)(const FinishedRun&, Result&){}; ///< what else reports show
};

/// Every feature that adds to results, in the order in which reports show their notes and costs.
[[nodiscard]] std::span<const RunFeature> run_features();

/// Adds to the result of a run what all features add, in the order of their list.
void add_features(const FinishedRun& finished, Result& result);

}} // namespace bursar::tools
