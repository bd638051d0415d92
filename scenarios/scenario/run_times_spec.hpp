#pragma once

#include <string>

#include "scenarios/reader/written.hpp"

namespace bursar::inline scenarios {

/// On what the run times that the workload states were measured.
struct RunTimesSpec {
    std::string gpu;     ///< the catalogue's own name, aliases resolved; empty: nobody says
    Written gpu_written; ///< `workload.gpu`
};

} // namespace bursar::inline scenarios
