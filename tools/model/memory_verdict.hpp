#pragma once

#include <string>
#include <vector>

#include "models/training/memory/memory_fit.hpp"

#include "tools/model/options/job_options.hpp"

namespace bursar { inline namespace tools {

/// Whether the job that was asked for fits into its GPUs.
struct MemoryVerdict {
    MemoryUse use;
    ByteVolume capacity;                ///< what may be used
    std::vector<MemoryRemedy> remedies; ///< of a transformer that does not fit
    std::string headline; ///< by how much it does not fit, and what does; empty where it fits
};

/// Throws ModelError for a layout that cannot be, UnknownFact where the GPU's memory is not known.
[[nodiscard]] MemoryVerdict memory_verdict(const JobQuestion& asked);

}} // namespace bursar::tools
