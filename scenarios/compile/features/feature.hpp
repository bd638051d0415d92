#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/plan/notes.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/compiled/compiled.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// What a scenario is compiled with. It outlives the compilation.
struct CompileInput {
    const Scenario& scenario;
    const Catalogue& catalogue;
    std::optional<std::int64_t> zero_utc_ms{}; ///< date of the scenario's zero; absent: no dates
};

/// Prices and the world of a run are drawn over [0, until).
struct DrawInput {
    const Scenario& scenario;
    std::optional<std::int64_t> zero_utc_ms{}; ///< as in CompileInput
    Duration until{};
};

/// A feature of the world or of cost: what it adds to a plan. Null functions add nothing. What it
/// adds to the result of a run is in tools/simulate/run_features.cpp.
struct Feature {
    std::string_view name;
    /// Paths of its keys in a scenario: "fleet.failures". scenarios/keys reads them.
    std::array<std::string_view, 6> keys{};
    /// Fills columns by pool. The plan has its pools and no jobs yet.
    void (*plan_pools)(const CompileInput&, Compiled&){};
    /// Fills columns by job or class. The plan has its jobs and its end.
    void (*plan_jobs)(const CompileInput&, Compiled&){};
    /// Fills the prices. It and the functions below are called again if the run takes longer than
    /// drawn.
    void (*draw_prices)(const DrawInput&, Plan&){};
    /// Whether events of the feature change the nodes of a pool. Given together with `add_events`.
    bool (*has_events)(const PoolSpec&){};
    /// Adds the events of a pool that has some, in any order. The plan has its prices.
    void (*add_events)(const DrawInput&,
                       const Plan&,
                       std::size_t pool,
                       std::vector<WorldEvent>& events){};
    /// Least number of draws that `add_events` keeps in memory for a pool; null: few.
    double (*expected_draws)(const DrawInput&, std::size_t pool){};
    /// Fills what follows from prices and events. The plan has both.
    void (*follow_world)(const Scenario&, Plan&){};
    /// Its assumptions, omissions and warnings. The plan is complete.
    Notes (*notes)(const CompileInput&, const Compiled&){};
};

/// How far prices and the world of a plan with its jobs are drawn at first. If a run without
/// `until` takes longer, they are drawn twice as far and the run is repeated. Draws do not depend
/// on how far they go, so the second run begins like the first.
[[nodiscard]] inline Duration first_drawn_until(const Plan& plan) {
    if (plan.until)
        return *plan.until;
    const Duration last{plan.submit_ms.empty() ? 0 : plan.submit_ms.back()};
    const Duration longest{
        plan.work_ms.empty() ? 0 : *std::max_element(plan.work_ms.begin(), plan.work_ms.end())};
    return std::min(2 * (last + longest) + day, Duration{horizon_ms});
}

}} // namespace bursar::scenarios
