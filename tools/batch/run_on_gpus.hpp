#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tools/batch/batch_plans.hpp"
#include "tools/batch/gpus.hpp"
#include "tools/batch/run_on_host.hpp"

namespace bursar { inline namespace tools {

/// What GPUs left when all runs were made, or all GPUs were lost.
struct LeftByGpus {
    std::vector<std::size_t> runs;   ///< runs that no GPU made, as given
    std::vector<std::string> losses; ///< each GPU that failed, with the system's message
};

/// Makes runs on GPUs, with a thread for each; runs with the most jobs first. Runs that a failing
/// GPU has not finished go to the others. runs: as for run_on_host.
[[nodiscard]] LeftByGpus run_on_gpus(std::span<const BatchGpu> gpus,
                                     std::span<const BatchPlan> plans,
                                     std::vector<std::size_t> runs,
                                     const BatchListener& listener);

}} // namespace bursar::tools
