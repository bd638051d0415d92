#include "tests/models/training/grid/openmp_summary.hpp"

#include <omp.h>

#include "models/training/grid/host_systems.cuh"

namespace bursar {

bool knows_openmp() {
    return true;
}

GridSummary
summarize_by_openmp(const GridView& grid, const GridRequest& request, unsigned threads) {
    omp_set_num_threads(static_cast<int>(threads));
    return summarize_on<OmpSystem>(grid, request);
}

} // namespace bursar
