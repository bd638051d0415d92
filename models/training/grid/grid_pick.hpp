#pragma once

#include <cstdint>

#include "models/training/grid/grid_point.hpp"

namespace bursar { inline namespace models {

/// What points are ranked by; the other one decides between equal ones, then their numbers.
enum class GridMetric : std::uint8_t { time, cost };

/// One point and what it comes to.
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

}} // namespace bursar::models
