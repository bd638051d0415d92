#pragma once

#include "models/training/grid/grid_summary.hpp"

namespace bursar {

/// Whether the compiler knows OpenMP, so that Thrust has it.
[[nodiscard]] bool knows_openmp();

/// summarize() under OpenMP. Precondition: knows_openmp().
[[nodiscard]] GridSummary
summarize_by_openmp(const GridView& grid, const GridRequest& request, unsigned threads);

} // namespace bursar
