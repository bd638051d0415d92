#include "models/training/grid/grid_summary.hpp"

#include <cassert>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include "models/training/grid/host_systems.cuh"

namespace bursar { inline namespace models {

GridSummary summarize(const GridView& grid, const GridRequest& request, unsigned threads) {
    assert(threads >= 1);
    // The requested number of threads, also on a machine with fewer cores, where TBB would warn on
    // stderr.
    const tbb::global_control limit{tbb::global_control::max_allowed_parallelism, threads};
    tbb::task_arena arena{static_cast<int>(threads)};
    return arena.execute([&] { return summarize_on<TbbSystem>(grid, request); });
}

}} // namespace bursar::models
