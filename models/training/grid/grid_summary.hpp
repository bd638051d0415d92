#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/training/grid/grid_point.hpp"

namespace bursar::inline models {

/// What points are ranked by; the other one decides between equal ones, then their numbers.
enum class GridMetric : std::uint8_t { time, cost };

/// One point that fits.
struct GridPick {
    std::uint64_t point{};
    GridValue value;
};

/// The best of the points seen so far, whatever order they were seen in.
class BestPicks {
  public:
    /// keep: >= 1.
    BestPicks(GridMetric metric, std::size_t keep) : metric_{metric}, keep_{keep} {}

    void add(const GridPick& pick);
    void add(const BestPicks& others);

    /// The best first.
    [[nodiscard]] std::vector<GridPick> sorted() const;

  private:
    [[nodiscard]] bool before(const GridPick& a, const GridPick& b) const;

    GridMetric metric_;
    std::size_t keep_;
    std::vector<GridPick> heap_; // the worst on top
};

/// The points seen so far that no other beats in both time and cost, whatever order they were seen
/// in; of equal ones the first by number.
class TimeCostFront {
  public:
    void add(const GridPick& pick);
    void add(const TimeCostFront& others);

    /// The fastest first.
    [[nodiscard]] const std::vector<GridPick>& picks() const { return picks_; }

  private:
    std::vector<GridPick> picks_;
};

/// What one pass over points finds.
struct GridSummary {
    std::vector<GridPick> best;
    std::vector<GridPick> front;
    std::uint64_t fitting{};
    std::uint64_t too_large{};            ///< larger than the memory of their GPU
    std::optional<ByteVolume> min_memory; ///< of any point, fitting or not; absent: there is none
};

/// One pass over these points, in blocks that threads take one after the other. Equal for any
/// number of threads. keep, threads: >= 1.
[[nodiscard]] GridSummary summarize(
    const GridView& grid, GridRange points, GridMetric metric, std::size_t keep, unsigned threads);

} // namespace bursar::inline models
