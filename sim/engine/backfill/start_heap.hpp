#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/plan/ids.hpp"

namespace bursar::inline sim {

/// Jobs by the tick at which what was promised to them begins, ties by number: an implicit 4-ary
/// heap.
class StartHeap {
  public:
    struct Start {
        std::int64_t tick{};
        JobId job{};
        friend BURSAR_HD bool operator<(const Start& a, const Start& b) {
            return a.tick < b.tick || (a.tick == b.tick && a.job < b.job);
        }
    };

    StartHeap() = default;
    BURSAR_HD StartHeap(ArenaCarver& carver, std::uint32_t max_starts) {
        Line* lines = carver.take<Line>(std::size_t{max_starts} / arity + 2);
        if (lines != nullptr)
            starts_ = lines->starts + skipped;
    }

    BURSAR_HD void clear() { size_ = 0; }
    [[nodiscard]] BURSAR_HD bool empty() const { return size_ == 0; }
    [[nodiscard]] BURSAR_HD const Start& top() const { return starts_[0]; }

    BURSAR_HD void push(const Start& start) {
        std::uint32_t hole = size_++;
        while (hole > 0 && start < starts_[(hole - 1) / arity]) {
            starts_[hole] = starts_[(hole - 1) / arity];
            hole = (hole - 1) / arity;
        }
        starts_[hole] = start;
    }
    BURSAR_HD void pop() {
        --size_;
        sift_down(0, starts_[size_]);
    }

    /// Calls `renew(job) -> tick` for every job, in order of their starts up to now.
    template <class Renew>
    BURSAR_HD void renew_in_order(const Renew& renew) {
        const std::uint32_t size = size_;
        while (size_ > 0) { // the least goes last, behind what is left of the heap
            const Start least = starts_[0];
            pop();
            starts_[size_] = least;
        }
        for (std::uint32_t i = size; i-- > 0;)
            starts_[i].tick = renew(starts_[i].job);
        size_ = size;
        for (std::uint32_t i = size; i-- > 0;)
            sift_down(i, starts_[i]);
    }

  private:
    static constexpr std::uint32_t arity = 4;
    /// The children of start i are 4i + 1 .. 4i + 4: three places before the first put them on
    /// one line.
    static constexpr std::uint32_t skipped = arity - 1;
    struct alignas(64) Line {
        Start starts[arity];
    };

    [[nodiscard]] BURSAR_HD std::uint32_t least_child(std::uint32_t first) const {
        if (first + arity <= size_) { // in two pairs, and without a branch to guess
            const std::uint32_t low = first + (starts_[first + 1] < starts_[first] ? 1U : 0U);
            const std::uint32_t high =
                first + 2 + (starts_[first + 3] < starts_[first + 2] ? 1U : 0U);
            return starts_[high] < starts_[low] ? high : low;
        }
        std::uint32_t least = first;
        for (std::uint32_t child = first + 1; child < size_; ++child)
            least = starts_[child] < starts_[least] ? child : least;
        return least;
    }
    BURSAR_HD void sift_down(std::uint32_t hole, Start start) {
        for (std::uint32_t first = hole * arity + 1; first < size_; first = hole * arity + 1) {
            const std::uint32_t least = least_child(first);
            if (!(starts_[least] < start))
                break;
            starts_[hole] = starts_[least];
            hole = least;
        }
        starts_[hole] = start;
    }

    Start* starts_{};
    std::uint32_t size_{};
};

} // namespace bursar::inline sim
