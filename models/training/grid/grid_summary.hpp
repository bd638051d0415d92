#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/training/grid/grid_pick.hpp"

namespace bursar { inline namespace models {

/// What a pass over points is asked for.
struct GridRequest {
    GridRange points;
    GridMetric metric{GridMetric::time};
    std::size_t keep{1}; ///< of the best, >= 1
};

/// What a pass over points finds. Of points that fit alone: `best`, the first of all by the metric,
/// and `front`, the fastest first, each cheaper than all before; of equal ones the first by number.
struct GridSummary {
    std::vector<GridPick> best;
    std::vector<GridPick> front;
    std::uint64_t fitting{};
    std::uint64_t too_large{};            ///< larger than the memory of their GPU
    std::optional<ByteVolume> min_memory; ///< of any point, fitting or not; absent: there is none
};

/// One pass over these points of a grid. Equal for any number of threads, >= 1.
[[nodiscard]] GridSummary
summarize(const GridView& grid, const GridRequest& request, unsigned threads);

}} // namespace bursar::models
