#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tools/batch/batch_plans.hpp"
#include "tools/batch/gpus.hpp"
#include "tools/batch/run_on_host.hpp"

namespace bursar { inline namespace tools {

/// What GPUs left when all were lost, or done.
struct LeftByGpus {
    std::vector<std::size_t> runs;   ///< that none of them made, as given
    std::vector<std::string> losses; ///< each GPU that failed, with what the system said of it
};

/// Makes runs on GPUs, a thread each; those with the most jobs are dealt out first. What a GPU has
/// not finished when it fails the others make. runs: as for run_on_host.
[[nodiscard]] LeftByGpus run_on_gpus(std::span<const BatchGpu> gpus,
                                     std::span<const BatchPlan> plans,
                                     std::vector<std::size_t> runs,
                                     const BatchListener& listener);

}} // namespace bursar::tools
