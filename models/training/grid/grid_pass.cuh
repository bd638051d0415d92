#pragma once

#include <algorithm>
#include <cassert>
#include <limits>
#include <vector>

#include <thrust/copy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/merge.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include "models/training/grid/grid_summary.hpp"

/// The pass over a grid's points, for every system that Thrust knows: the host's (CPP, OMP, TBB)
/// and a GPU. A source provides a system: its execution policy (`par()`), its `Vector`, and the
/// points per tile (`tile_points`).
namespace bursar { inline namespace models {

/// Size of the first tile. Small, because all of its points are sorted; its results filter later
/// ones.
inline constexpr std::uint64_t first_tile_points = 32'768;

struct PickAt {
    GridView grid;

    BURSAR_HD GridPick operator()(std::uint64_t point) const { return {point, grid(point)}; }
};

/// The number of points that fit and that do not, and the least memory of any.
struct GridCounts {
    std::uint64_t fitting{};
    std::uint64_t too_large{};
    ByteVolume min_memory;
};

struct CountPick {
    BURSAR_HD GridCounts operator()(const GridPick& pick) const {
        const std::uint64_t fits = pick.value.fits ? 1 : 0;
        return {fits, 1 - fits, pick.value.memory};
    }
};

struct AddCounts {
    BURSAR_HD GridCounts operator()(const GridCounts& a, const GridCounts& b) const {
        return {a.fitting + b.fitting,
                a.too_large + b.too_large,
                b.min_memory < a.min_memory ? b.min_memory : a.min_memory};
    }
};

/// Whether a point may be among the best: it fits, and ranks before the last of those kept.
struct MayBeBest {
    IsBetterPick before;
    const GridPick* last{}; ///< null: fewer than requested are kept

    BURSAR_HD bool operator()(const GridPick& pick) const {
        return pick.value.fits && (last == nullptr || before(pick, *last));
    }
};

/// Whether a point may be on the front: it fits, and none of the front so far is as fast and as
/// cheap. Later points have higher numbers, so that equal ones are beaten, too.
struct MayBeOnFront {
    const GridPick* front{}; ///< the fastest first
    std::uint64_t size{};

    BURSAR_HD bool operator()(const GridPick& pick) const {
        if (!pick.value.fits)
            return false;
        // The cheapest of equally fast points is the last of them.
        std::uint64_t low = 0;
        std::uint64_t above = size;
        while (low < above) {
            const std::uint64_t middle = low + (above - low) / 2;
            if (front[middle].value.run.duration <= pick.value.run.duration)
                low = middle + 1;
            else
                above = middle;
        }
        return low == 0 || pick.value.run.usd < front[low - 1].value.run.usd;
    }
};

struct CostOf {
    BURSAR_HD double operator()(const GridPick& pick) const { return pick.value.run.usd; }
};

struct LesserCost {
    BURSAR_HD double operator()(double a, double b) const { return b < a ? b : a; }
};

/// Whether the point at a place costs less than all before it.
struct IsCheaper {
    const GridPick* picks{};
    const double* before{}; ///< the least cost before each place

    BURSAR_HD bool operator()(std::uint64_t place) const {
        return picks[place].value.run.usd < before[place];
    }
};

/// Sorted points, to which tiles add theirs. Algorithms get pointers: Thrust dereferences
/// iterators, which is invalid for an empty vector.
template <class System>
class SortedPicks {
  public:
    /// Thrust also copies empty ranges, which must not begin at a null pointer.
    SortedPicks() {
        picks_.reserve(1);
        merged_.reserve(1);
    }

    [[nodiscard]] std::size_t size() const { return picks_.size(); }
    [[nodiscard]] const GridPick* get() const { return System::pointer(picks_); }
    void keep_first(std::size_t count) { picks_.resize(std::min(count, picks_.size())); }

    /// Selects the points of a tile of `count` for which `is_wanted` holds. Returns whether there
    /// are any.
    template <class Before, class Wanted>
    bool add(const GridPick* tile, std::size_t count, Before before, Wanted is_wanted) {
        added_.resize(std::max(added_.size(), count));
        GridPick* added = System::pointer(added_);
        GridPick* end = thrust::copy_if(System::par(), tile, tile + count, added, is_wanted);
        if (end == added)
            return false;
        thrust::sort(System::par(), added, end, before);
        merged_.resize(size() + static_cast<std::size_t>(end - added));
        thrust::merge(
            System::par(), get(), get() + size(), added, end, System::pointer(merged_), before);
        picks_.swap(merged_);
        return true;
    }

    /// Keeps only points that are cheaper than all before them.
    void keep_cheaper() {
        const auto costs = thrust::make_transform_iterator(get(), CostOf{});
        costs_.resize(size());
        double* before = System::pointer(costs_);
        thrust::exclusive_scan(System::par(),
                               costs,
                               costs + size(),
                               before,
                               std::numeric_limits<double>::infinity(),
                               LesserCost{});
        merged_.resize(size());
        GridPick* kept = System::pointer(merged_);
        GridPick* end = thrust::copy_if(System::par(),
                                        get(),
                                        get() + size(),
                                        thrust::make_counting_iterator(std::uint64_t{0}),
                                        kept,
                                        IsCheaper{get(), before});
        merged_.resize(static_cast<std::size_t>(end - kept));
        picks_.swap(merged_);
    }

    [[nodiscard]] std::vector<GridPick> on_host() const {
        std::vector<GridPick> picks(size());
        if (!picks.empty())
            thrust::copy(picks_.begin(), picks_.end(), picks.begin());
        return picks;
    }

  private:
    typename System::template Vector<GridPick> picks_;
    typename System::template Vector<GridPick> added_;  // room for those of a tile
    typename System::template Vector<GridPick> merged_; // room for both
    typename System::template Vector<double> costs_;
};

/// The best of all tiles so far, the best first.
template <class System>
class BestPicks {
  public:
    /// keep: >= 1.
    BestPicks(GridMetric metric, std::size_t keep) : before_{RanksBefore{metric}}, keep_{keep} {}

    void add(const GridPick* tile, std::size_t count) {
        const GridPick* last = picks_.size() == keep_ ? picks_.get() + (keep_ - 1) : nullptr;
        picks_.add(tile, count, before_, MayBeBest{before_, last});
        picks_.keep_first(keep_);
    }

    [[nodiscard]] std::vector<GridPick> on_host() const { return picks_.on_host(); }

  private:
    IsBetterPick before_;
    std::size_t keep_;
    SortedPicks<System> picks_;
};

/// Points of the tiles so far that no other beats in both time and cost, the fastest first; of
/// equal ones the first by number. Each tile's numbers are above those of the tiles before it.
template <class System>
class TimeCostFront {
  public:
    void add(const GridPick* tile, std::size_t count) {
        const MayBeOnFront is_wanted{picks_.get(), picks_.size()};
        if (picks_.add(tile, count, RanksBefore{GridMetric::time}, is_wanted))
            picks_.keep_cheaper();
    }

    [[nodiscard]] std::vector<GridPick> on_host() const { return picks_.on_host(); }

  private:
    SortedPicks<System> picks_;
};

/// One pass over the points of a request, tile by tile. grid: of pointers that the system reads.
template <class System>
GridSummary summarize_on(const GridView& grid, const GridRequest& request) {
    const GridRange points = request.points;
    assert(request.keep >= 1 && points.end <= grid.points);
    std::uint64_t room = first_tile_points;
    typename System::template Vector<GridPick> tile;
    BestPicks<System> best{request.metric, request.keep};
    TimeCostFront<System> front;
    GridCounts counts{0, 0, ByteVolume{std::numeric_limits<double>::infinity()}};
    for (std::uint64_t first = points.first; first < points.end;) {
        const std::uint64_t count = std::min(room, points.end - first);
        tile.resize(std::max<std::size_t>(tile.size(), count));
        GridPick* picks = System::pointer(tile);
        const auto numbers = thrust::make_counting_iterator(first);
        thrust::transform(System::par(), numbers, numbers + count, picks, PickAt{grid});
        counts = thrust::transform_reduce(
            System::par(), picks, picks + count, CountPick{}, counts, AddCounts{});
        best.add(picks, count);
        front.add(picks, count);
        first += count;
        room = std::min(8 * room, System::tile_points);
    }
    GridSummary found{best.on_host(), front.on_host(), counts.fitting, counts.too_large, {}};
    if (points.first < points.end)
        found.min_memory = counts.min_memory;
    return found;
}

}} // namespace bursar::models
