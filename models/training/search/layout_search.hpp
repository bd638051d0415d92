#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/training/memory/memory.hpp"
#include "models/training/search/layout_space.hpp"
#include "models/training/step/step_time.hpp"

namespace bursar { inline namespace models {

/// A layout that fits, with its time.
struct RankedLayout {
    Layout layout;
    Precision precision{};
    Seconds step;
    ByteVolume memory;      ///< of the most loaded rank
    bool likely_fits{true}; ///< with a chance of likely_fit; true where that is not known

    friend bool operator==(const RankedLayout&, const RankedLayout&) = default;
};

/// The result of a search.
struct LayoutSearch {
    /// Those that likely fit, then the others; each the fastest first, of equal times the one of
    /// the least memory.
    std::vector<RankedLayout> best;
    /// Layouts that no other beats in both step time and memory, fastest first. On a fixed number
    /// of equal GPUs cost is time.
    std::vector<RankedLayout> pareto;
    std::int64_t evaluated{};          ///< timed
    std::int64_t excluded_by_rule{};   ///< impossible combinations (for_each_layout)
    std::int64_t excluded_by_memory{}; ///< possible, but too large for the GPU
    /// The least that any possible layout needs of a GPU, fitting or not; absent if none is.
    std::optional<ByteVolume> min_memory;
};

/// Times every layout of the space whose memory fits (FORMULAS 3.4) and ranks them. One that does
/// not likely fit is timed with activations offloaded, too, where that is usual (with_offload()):
/// of the fewest layers with which it likely fits, else fits.
///
/// keep: how many of the best to return, >= 1. Throws as for_each_layout and step_time do. If
/// nothing fits, `best` is empty.
[[nodiscard]] LayoutSearch search_layouts(const TrainingJob& job,
                                          const Cluster& cluster,
                                          const StackProfile& profile,
                                          const LayoutSpace& space,
                                          std::size_t keep = 10,
                                          const MemoryOverheads& overheads = {});

/// The same, but at least one layout is required. Throws ModelError if none is possible or fits,
/// with the memory that the smallest needs.
[[nodiscard]] LayoutSearch fitting_layouts(const TrainingJob& job,
                                           const Cluster& cluster,
                                           const StackProfile& profile,
                                           const LayoutSpace& space,
                                           std::size_t keep = 10,
                                           const MemoryOverheads& overheads = {});

}} // namespace bursar::models
