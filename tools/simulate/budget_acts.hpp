#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/plan/ids.hpp"
#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

#include "reports/result/result.hpp"

/// Budgets that act. A run up to an instant does not depend on what comes later. So when a limit is
/// reached is read from a run that does not act on it yet, and the next run acts, by events of its
/// world. This takes one run more than there are acts, and the engine knows no money.
namespace bursar { inline namespace tools {

/// A limit that is reached, and acted on from then on.
struct BudgetAct {
    std::size_t budget{};            ///< which of the run's
    Duration at{};                   ///< the last instant at which no more than it is spent
    std::optional<Duration> until{}; ///< the end of its month; absent: to the end of the run
    std::vector<JobId> stopped{}; ///< the jobs of its scope that are at work then, if it stops them
};

/// The first limit that a run reaches and that is not among those acted on `before`; absent: there
/// is none. result: of that run, with its timeline. months: all that it touches.
/// before: of every limit acted on in the run. Where limits are reached at one
/// instant, the budget that comes first.
[[nodiscard]] std::optional<BudgetAct> next_act(const Result& result,
                                                const std::vector<ResultBudget>& budgets,
                                                const std::vector<ResultMonth>& months,
                                                const std::vector<BudgetAct>& before);

/// Whether a run ends by an act: with the last job that runs then, as no other may start.
[[nodiscard]] bool closes_run(const ResultBudget& budget, const BudgetAct& act);

/// Whether acts keep all jobs that wait at the end of a run from ever starting, whatever happens
/// in its world later: for each, its tenant or all its pools admit no job for good. False also
/// where that is not known.
[[nodiscard]] bool bar_all_waiting(const std::vector<ResultBudget>& budgets,
                                   const std::vector<BudgetAct>& acts,
                                   const Plan& plan,
                                   const std::vector<JobPhase>& phases);

/// Adds the events of the acts to a plan's world. Precondition: the shapes of tenants whose budgets
/// act are their own (give_own_shapes).
void act_on(const std::vector<ResultBudget>& budgets,
            const std::vector<BudgetAct>& acts,
            Plan& plan);

/// Counts in each stop of a result's budgets the jobs that were stopped by it.
void count_stopped_jobs(Result& result);

/// Gives the jobs of tenants whose budgets act shapes of their own, so that they alone can be held
/// back. The run stays the same. False: there are too many shapes.
[[nodiscard]] bool give_own_shapes(const std::vector<ResultBudget>& budgets, Plan& plan);

}} // namespace bursar::tools
