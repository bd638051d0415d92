#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/training/memory/memory.hpp"
#include "models/training/memory/memory_fit.hpp"

#include "reports/document/document.hpp"

#include "tools/model/job_options.hpp"

namespace bursar { inline namespace tools {

/// The parts of a GPU's memory and whether they fit, under the key "memory". capacity: usable
/// memory. error: of the total (memory_error()).
[[nodiscard]] Facts
memory_section(const MemoryUse& use, ByteVolume capacity, const std::optional<MemoryError>& error);

/// The figures of a stack that the parts are computed from, each with its source.
[[nodiscard]] Facts overheads_section(const MemoryOverheads& overheads);

/// Whether a job fits into its GPUs.
struct MemoryVerdict {
    MemoryUse use;
    ByteVolume capacity;                ///< usable memory
    std::vector<MemoryRemedy> remedies; ///< for a transformer that does not fit
    std::string headline;               ///< missing memory, and changes that fit; empty if it fits
};

/// Throws ModelError for an impossible layout, UnknownFact if the GPU's memory is not known.
[[nodiscard]] MemoryVerdict memory_verdict(const JobQuestion& asked);

}} // namespace bursar::tools
