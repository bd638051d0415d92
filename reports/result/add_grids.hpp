#pragma once

#include <vector>

#include "models/energy/grid_series.hpp"

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

#include "reports/result/result.hpp"

/// Carbon where the intensity of a grid changes with time. What holding GPUs costs is an integral
/// of a price over time, and so is what it emits: the ledger of a run at other prices says it.
namespace bursar { inline namespace reports {

/// A plan in which a GPU-hour costs what a kWh of the pool's grid emits, and nothing else differs.
/// grids: by pool; one without steps is constant.
[[nodiscard]] Plan at_intensities(const std::vector<GridSeries>& grids, Plan plan);

/// Adds grids that change, and what their pools' cells held of them, to a result. outcome: of the
/// run of at_intensities(), the same run as the result's.
void add_grids(const std::vector<GridSeries>& grids, const Outcome& outcome, Result& result);

}} // namespace bursar::reports
