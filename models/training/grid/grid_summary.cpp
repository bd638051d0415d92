#include "models/training/grid/grid_summary.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <thread>
#include <tuple>
#include <utility>

namespace bursar::inline models {
namespace {

constexpr std::uint64_t block_points = 65'536;

auto by_time(const GridPick& pick) {
    return std::tuple{pick.value.run.duration.count(), pick.value.run.usd, pick.point};
}

auto by_cost(const GridPick& pick) {
    return std::tuple{pick.value.run.usd, pick.value.run.duration.count(), pick.point};
}

/// What one thread has seen.
struct Seen {
    BestPicks best;
    TimeCostFront front;
    std::uint64_t fitting{};
    std::uint64_t too_large{};
    std::optional<ByteVolume> min_memory;

    void add(std::uint64_t point, const GridValue& value) {
        min_memory = std::min(min_memory.value_or(value.memory), value.memory);
        if (!value.fits) {
            ++too_large;
            return;
        }
        ++fitting;
        best.add(GridPick{point, value});
        front.add(GridPick{point, value});
    }

    void add(const Seen& other) {
        best.add(other.best);
        front.add(other.front);
        fitting += other.fitting;
        too_large += other.too_large;
        if (other.min_memory)
            min_memory = std::min(min_memory.value_or(*other.min_memory), *other.min_memory);
    }
};

} // namespace

bool BestPicks::before(const GridPick& a, const GridPick& b) const {
    return metric_ == GridMetric::time ? by_time(a) < by_time(b) : by_cost(a) < by_cost(b);
}

void BestPicks::add(const GridPick& pick) {
    const auto order = [this](const GridPick& a, const GridPick& b) { return before(a, b); };
    if (heap_.size() == keep_) {
        if (!before(pick, heap_.front()))
            return;
        std::pop_heap(heap_.begin(), heap_.end(), order);
        heap_.pop_back();
    }
    heap_.push_back(pick);
    std::push_heap(heap_.begin(), heap_.end(), order);
}

void BestPicks::add(const BestPicks& others) {
    for (const GridPick& pick : others.heap_)
        add(pick);
}

std::vector<GridPick> BestPicks::sorted() const {
    std::vector<GridPick> picks = heap_;
    std::sort(picks.begin(), picks.end(), [this](const GridPick& a, const GridPick& b) {
        return before(a, b);
    });
    return picks;
}

void TimeCostFront::add(const GridPick& pick) {
    // Sorted by time, the costs fall: a point is beaten by its predecessor or by none, and beats
    // those right after it.
    const auto place = std::upper_bound(
        picks_.begin(), picks_.end(), pick, [](const GridPick& a, const GridPick& b) {
            return by_time(a) < by_time(b);
        });
    const double usd = pick.value.run.usd;
    if (place != picks_.begin() && (place - 1)->value.run.usd <= usd)
        return;
    const auto beaten = std::find_if(
        place, picks_.end(), [&](const GridPick& other) { return other.value.run.usd < usd; });
    if (beaten == place) {
        picks_.insert(place, pick);
        return;
    }
    *place = pick;
    picks_.erase(place + 1, beaten);
}

void TimeCostFront::add(const TimeCostFront& others) {
    for (const GridPick& pick : others.picks_)
        add(pick);
}

GridSummary summarize(
    const GridView& grid, GridRange points, GridMetric metric, std::size_t keep, unsigned threads) {
    assert(keep >= 1 && threads >= 1 && points.end <= grid.points);
    std::vector<Seen> seen(threads, Seen{BestPicks{metric, keep}, {}, 0, 0, std::nullopt});
    std::atomic<std::uint64_t> next{points.first};
    const auto work = [&](Seen& result) {
        Seen mine = result; // of this thread alone: neighbours in `seen` share cache lines
        for (std::uint64_t first = next.fetch_add(block_points); first < points.end;
             first = next.fetch_add(block_points)) {
            const std::uint64_t end = std::min(points.end, first + block_points);
            for (std::uint64_t point = first; point < end; ++point)
                mine.add(point, grid(point));
        }
        result = std::move(mine);
    };
    {
        std::vector<std::jthread> workers;
        for (unsigned i = 1; i < threads; ++i)
            workers.emplace_back([&work, &result = seen[i]] { work(result); });
        work(seen.front());
    }
    for (unsigned i = 1; i < threads; ++i)
        seen.front().add(seen[i]);
    const Seen& all = seen.front();
    return {all.best.sorted(), all.front.picks(), all.fitting, all.too_large, all.min_memory};
}

} // namespace bursar::inline models
