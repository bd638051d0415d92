#include <stdexcept>

#include "tests/models/training/grid/openmp_summary.hpp"

namespace bursar {

bool knows_openmp() {
    return false;
}

GridSummary summarize_by_openmp(const GridView& /*grid*/,
                                const GridRequest& /*request*/,
                                unsigned /*threads*/) {
    throw std::logic_error{"this compiler knows no OpenMP"};
}

} // namespace bursar
