#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/arena.hpp"

namespace bursar::inline sim {

/// What a stretch of steps comes to, seen from its beginning.
struct StepSums {
    std::int64_t all{};  ///< of all steps
    std::int64_t low{};  ///< least of the sums over the first 1, 2, ... steps
    std::int64_t high{}; ///< greatest of them
    std::uint32_t size{};
};

/// Steps in order of their keys.
struct alignas(64) StepLeaf {
    static constexpr std::uint32_t capacity = 15;

    std::uint32_t size{};
    std::int64_t step[capacity];
    std::uint64_t key[capacity];

    /// Of the entries from `begin` on.
    [[nodiscard]] BURSAR_HD std::uint32_t first_at_or_after(std::uint64_t wanted,
                                                            std::uint32_t begin) const {
        std::uint32_t i = begin;
        for (std::uint32_t j = begin; j < size; ++j)
            i += key[j] < wanted ? 1U : 0U;
        return i;
    }
    [[nodiscard]] BURSAR_HD StepSums sums() const {
        StepSums sums{step[0], step[0], step[0], size};
        for (std::uint32_t i = 1; i < size; ++i) {
            sums.all += step[i];
            sums.low = sums.all < sums.low ? sums.all : sums.low;
            sums.high = sums.all > sums.high ? sums.all : sums.high;
        }
        return sums;
    }
    /// Moves the entries from `begin` on to the end of another leaf.
    BURSAR_HD void move_to(StepLeaf& other, std::uint32_t begin) {
        for (std::uint32_t i = begin; i < size; ++i) {
            other.key[other.size] = key[i];
            other.step[other.size++] = step[i];
        }
        size = begin;
    }
};

/// Leaves or other branches, in order of their keys, each with what its steps come to.
struct alignas(64) StepBranch {
    static constexpr std::uint32_t capacity = 11;

    std::uint32_t size{};
    std::uint32_t child[capacity];
    std::uint64_t key[capacity]; ///< no key of the child is less; the first one's is never read
    StepSums sums_of[capacity];

    /// The child whose keys enclose `wanted`.
    [[nodiscard]] BURSAR_HD std::uint32_t child_around(std::uint64_t wanted) const {
        std::uint32_t i = 0;
        for (std::uint32_t j = 1; j < size; ++j)
            i += key[j] <= wanted ? 1U : 0U;
        return i;
    }
    [[nodiscard]] BURSAR_HD StepSums sums() const {
        StepSums sums = sums_of[0];
        for (std::uint32_t i = 1; i < size; ++i) {
            const std::int64_t low = sums.all + sums_of[i].low;
            const std::int64_t high = sums.all + sums_of[i].high;
            sums.low = low < sums.low ? low : sums.low;
            sums.high = high > sums.high ? high : sums.high;
            sums.all += sums_of[i].all;
        }
        sums.size = size;
        return sums;
    }
    BURSAR_HD void insert(std::uint32_t at, std::uint32_t new_child, std::uint64_t from) {
        assert(size < capacity);
        for (std::uint32_t i = size++; i > at; --i) {
            child[i] = child[i - 1];
            key[i] = key[i - 1];
            sums_of[i] = sums_of[i - 1];
        }
        child[at] = new_child;
        key[at] = from;
    }
    BURSAR_HD void erase(std::uint32_t at) {
        --size;
        for (std::uint32_t i = at; i < size; ++i) {
            child[i] = child[i + 1];
            key[i] = key[i + 1];
            sums_of[i] = sums_of[i + 1];
        }
    }
    BURSAR_HD void move_to(StepBranch& other, std::uint32_t begin) {
        for (std::uint32_t i = begin; i < size; ++i) {
            other.child[other.size] = child[i];
            other.key[other.size] = key[i];
            other.sums_of[other.size++] = sums_of[i];
        }
        size = begin;
    }
};

/// A fixed number of T in the arena, handed out and taken back one by one. A free one keeps the
/// number of the next in its `size`.
template <class T>
class StepStore {
  public:
    StepStore() = default;
    BURSAR_HD StepStore(ArenaCarver& carver, std::size_t count)
        : items_{carver.take<T>(count)}, count_{static_cast<std::uint32_t>(count)} {}

    BURSAR_HD void clear() { num_used_ = first_free_ = 0; }

    [[nodiscard]] BURSAR_HD std::uint32_t take() {
        std::uint32_t item = num_used_;
        if (first_free_ != 0) {
            item = first_free_ - 1;
            first_free_ = items_[item].size;
        } else {
            ++num_used_;
        }
        assert(item < count_);
        items_[item].size = 0;
        return item;
    }
    BURSAR_HD void give_back(std::uint32_t item) {
        items_[item].size = first_free_;
        first_free_ = item + 1;
    }
    [[nodiscard]] BURSAR_HD T& operator[](std::uint32_t item) { return items_[item]; }
    [[nodiscard]] BURSAR_HD const T& operator[](std::uint32_t item) const { return items_[item]; }

  private:
    T* items_{};
    std::uint32_t count_{};
    std::uint32_t num_used_{};   ///< those after it were never asked for
    std::uint32_t first_free_{}; ///< 1 + its number; 0: none was given back
};

/// Memory for any number of StepProfiles with so many steps between them.
struct StepNodes {
    StepStore<StepLeaf> leaves;
    StepStore<StepBranch> branches;

    StepNodes() = default;
    /// Neighbours below one branch fill one node at least, so a branch of n children has more than
    /// n / 3 nodes' worth; every profile may have two leaves and a few branches that are nearly
    /// empty.
    BURSAR_HD StepNodes(ArenaCarver& carver, std::size_t num_steps, std::size_t num_profiles)
        : leaves{carver, num_leaves(num_steps) + 3 * num_profiles},
          branches{carver,
                   num_leaves(num_steps) * 3 / (StepBranch::capacity - 3) + 8 * num_profiles} {}

    BURSAR_HD void clear() {
        leaves.clear();
        branches.clear();
    }

  private:
    [[nodiscard]] BURSAR_HD static std::size_t num_leaves(std::size_t num_steps) {
        return num_steps * 3 / StepLeaf::capacity + 8;
    }
};

} // namespace bursar::inline sim
