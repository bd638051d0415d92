#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/training/grid/grid_point.hpp"

namespace bursar { inline namespace models {

/// The metric that ranks points; ties by the other metric, then by number.
enum class GridMetric : std::uint8_t { time, cost };

/// One point and its results.
struct GridPick {
    std::uint64_t point{};
    GridValue value;
};

/// Which of two points that fit is ranked first. An order of points: no two are equal.
struct RanksBefore {
    GridMetric metric{GridMetric::time};

    [[nodiscard]] BURSAR_HD bool operator()(const GridPick& a, const GridPick& b) const {
        const RunCost& x = a.value.run;
        const RunCost& y = b.value.run;
        const double time = x.duration.count();
        const double other_time = y.duration.count();
        if (metric == GridMetric::cost && x.usd != y.usd)
            return x.usd < y.usd;
        if (time != other_time)
            return time < other_time;
        return x.usd != y.usd ? x.usd < y.usd : a.point < b.point;
    }
};

/// Which of two points is among the best first: one that likely fits, then RanksBefore.
struct IsBetterPick {
    RanksBefore before;

    [[nodiscard]] BURSAR_HD bool operator()(const GridPick& a, const GridPick& b) const {
        if (a.value.likely_fits != b.value.likely_fits)
            return a.value.likely_fits;
        return before(a, b);
    }
};

/// The request of a pass over points.
struct GridRequest {
    GridRange points;
    GridMetric metric{GridMetric::time};
    std::size_t keep{1}; ///< of the best, >= 1
};

/// The results of a pass over points. `best` and `front` hold points that fit: those that likely do
/// before the others, each the first by the metric; and those from the fastest on that are each
/// cheaper than all before. Of equal ones the first by number.
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
