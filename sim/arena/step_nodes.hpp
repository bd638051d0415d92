#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/arena.hpp"
#include "sim/arena/step_sums.hpp"

namespace bursar { inline namespace sim {

/// Steps in order of their keys.
struct alignas(64) StepLeaf {
    static constexpr std::uint32_t capacity = 15;

    std::uint32_t size{};
    std::int64_t step[capacity];
    std::uint64_t key[capacity];

    BURSAR_HD void clear() { size = 0; }
    /// Of the entries from `begin` on.
    [[nodiscard]] BURSAR_HD std::uint32_t first_at_or_after(std::uint64_t wanted,
                                                            std::uint32_t begin) const {
        std::uint32_t i = begin;
        for (std::uint32_t j = begin; j < size; ++j)
            i += key[j] < wanted ? 1U : 0U;
        return i;
    }
    [[nodiscard]] BURSAR_HD std::int64_t all_before(std::uint32_t end) const {
        std::int64_t before = 0;
        for (std::uint32_t i = 0; i < end; ++i)
            before += step[i];
        return before;
    }
    [[nodiscard]] BURSAR_HD StepSums sums() const {
        std::int64_t value = step[0];
        StepSums sums{value, value, key[0], key[0], key[0]};
        for (std::uint32_t i = 1; i < size; ++i) {
            value += step[i];
            sums.append(key[i], value);
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

/// Leaves or other branches, in order of their keys, each with the sum of its steps. Their StepSums
/// are computed when a walk reads them; a change makes them stale.
struct StepBranch {
    static constexpr std::uint32_t capacity = 10;

    std::uint32_t size{};
    std::uint32_t child[capacity];
    std::uint64_t key[capacity]; ///< no key of the child is less; the first one's is never read
    std::int64_t all[capacity];  ///< sum of the child's steps
    StepSums sums_of[capacity];
    std::uint8_t num[capacity]; ///< entries of the child
    /// A bit for each child whose sums are stale; those above are then stale too. Stale sums are
    /// valid only as bounds: no value is below low or above high.
    std::uint32_t stale{};

    BURSAR_HD void clear() { size = stale = 0; }
    /// The child whose keys enclose `wanted`.
    [[nodiscard]] BURSAR_HD std::uint32_t child_around(std::uint64_t wanted) const {
        std::uint32_t i = 0;
        for (std::uint32_t j = 1; j < size; ++j)
            i += key[j] <= wanted ? 1U : 0U;
        return i;
    }
    /// Sum of the steps of all children before `end`.
    [[nodiscard]] BURSAR_HD std::int64_t all_before(std::uint32_t end) const {
        std::int64_t before = 0;
        for (std::uint32_t i = 0; i < end; ++i)
            before += all[i];
        return before;
    }
    /// Precondition: one is stale.
    [[nodiscard]] BURSAR_HD std::uint32_t first_stale() const {
#ifdef __CUDA_ARCH__
        return static_cast<std::uint32_t>(__ffs(static_cast<int>(stale))) - 1;
#else
        return static_cast<std::uint32_t>(__builtin_ctz(stale));
#endif
    }
    BURSAR_HD void renew(std::uint32_t at, const StepSums& sums) {
        sums_of[at] = sums;
        stale &= ~(1U << at);
    }
    [[nodiscard]] BURSAR_HD bool is_stale(std::uint32_t at) const {
        return (stale >> at & 1U) != 0;
    }
    /// Precondition: none is stale.
    [[nodiscard]] BURSAR_HD StepSums sums() const {
        StepSums sums = sums_of[0];
        std::int64_t value = all[0];
        for (std::uint32_t i = 1; i < size; ++i) {
            sums.append(value, sums_of[i]);
            value += all[i];
        }
        return sums;
    }
    /// A step somewhere below a child has changed by that amount.
    BURSAR_HD void change(std::uint32_t at, std::int64_t step) {
        all[at] += step;
        sums_of[at].widen(step);
        stale |= 1U << at;
    }
    /// Updates the sums of the child at `at`, whose entries are now those of `now`.
    template <class Node>
    BURSAR_HD void hold(std::uint32_t at, const Node& now) {
        all[at] = now.all_before(now.size);
        num[at] = static_cast<std::uint8_t>(now.size);
        sums_of[at].low = -StepSums::any;
        sums_of[at].high = StepSums::any;
        stale |= 1U << at;
    }
    /// The new child's sums are set by `hold`.
    BURSAR_HD void insert(std::uint32_t at, std::uint32_t new_child, std::uint64_t from) {
        assert(size < capacity);
        for (std::uint32_t i = size++; i > at; --i)
            copy(*this, i - 1, i);
        stale = (stale & ~bits_from(at)) | (stale & bits_from(at)) << 1U;
        child[at] = new_child;
        key[at] = from;
    }
    BURSAR_HD void erase(std::uint32_t at) {
        --size;
        for (std::uint32_t i = at; i < size; ++i)
            copy(*this, i + 1, i);
        stale = (stale & ~bits_from(at)) | (stale & bits_from(at + 1)) >> 1U;
    }
    BURSAR_HD void move_to(StepBranch& other, std::uint32_t begin) {
        const std::uint32_t from = other.size;
        for (std::uint32_t i = begin; i < size; ++i)
            other.copy(*this, i, other.size++);
        other.stale = (other.stale & ~bits_from(from)) | stale >> begin << from;
        stale &= ~bits_from(begin);
        size = begin;
    }

  private:
    [[nodiscard]] BURSAR_HD static std::uint32_t bits_from(std::uint32_t at) {
        return ~std::uint32_t{0} << at;
    }
    BURSAR_HD void copy(const StepBranch& from, std::uint32_t there, std::uint32_t here) {
        child[here] = from.child[there];
        key[here] = from.key[there];
        all[here] = from.all[there];
        num[here] = from.num[there];
        sums_of[here] = from.sums_of[there];
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
        items_[item].clear();
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
    std::uint32_t num_used_{};   ///< those after it were never used
    std::uint32_t first_free_{}; ///< 1 + its number; 0: none was given back
};

/// Memory for any number of StepProfiles with that number of steps together.
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

}} // namespace bursar::sim
