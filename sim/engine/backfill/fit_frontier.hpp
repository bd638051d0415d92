#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// Lower bounds for searches for room, from earlier searches, while room is only taken: if a gang
/// of s slots does not fit for d before some instant, neither does a larger or longer one. Instants
/// and lengths are ticks (promise.hpp).
///
/// A table of instants by classes of size and length: eight classes of size and 32 of length per
/// power of two. As a Fenwick tree in two dimensions it gives the latest instant over all smaller
/// sizes and lengths in O(log^2). Sizes are counted in the greatest common divisor of all gangs; up
/// to 16 of it, and for many sizes beyond, a class is one size. 11 KB per class of sizes.
class FitFrontier {
  public:
    FitFrontier() = default;
    BURSAR_HD FitFrontier(ArenaCarver& carver, const RunPlan& plan)
        : unit_{common_unit(plan)}, num_sizes_{size_class(largest_gang(plan)) + 1},
          instants_{carver.take<std::uint64_t>(std::size_t{num_sizes_} * num_lengths)} {}

    /// One for each pool.
    [[nodiscard]] BURSAR_HD static FitFrontier* for_pools(ArenaCarver& carver,
                                                          const RunPlan& plan) {
        FitFrontier* frontiers = carver.take<FitFrontier>(plan.num_pools);
        for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
            const FitFrontier frontier{carver, plan};
            if (frontiers != nullptr)
                frontiers[pool] = frontier;
        }
        return frontiers;
    }

    BURSAR_HD void clear() {
        for (std::size_t i = 0; i < std::size_t{num_sizes_} * num_lengths; ++i)
            instants_[i] = 0;
        epoch_ = 0;
    }
    /// Drops all bounds, after room was given. O(1).
    BURSAR_HD void forget() {
        if (++epoch_ == last_epoch)
            clear();
    }

    /// The instant before which `slots` do not fit for that length; 0: not known.
    [[nodiscard]] BURSAR_HD std::int64_t before(std::int64_t slots, std::int64_t ticks) const {
        std::uint64_t latest = epoch_ << instant_bits;
        const std::uint64_t known = latest;
        for (std::uint32_t s = size_class(slots) + 1; s > 0; s -= s & (~s + 1)) {
            for (std::uint32_t l = length_class(ticks) + 1; l > 0; l -= l & (~l + 1))
                latest = at(s, l) > latest ? at(s, l) : latest;
        }
        return static_cast<std::int64_t>(latest - known);
    }

    /// Records the first instant at which `slots` fit for that length.
    BURSAR_HD void note(std::int64_t slots, std::int64_t ticks, std::int64_t instant) {
        // Classes are rounded up, so that the bound holds for every size and length of its class.
        const std::uint32_t size = size_class_above(slots);
        const std::uint32_t length = ticks == 1 ? 0 : length_class(ticks - 1) + 1;
        const std::uint64_t entry = epoch_ << instant_bits | static_cast<std::uint64_t>(instant);
        for (std::uint32_t s = size + 1; s <= num_sizes_; s += s & (~s + 1)) {
            for (std::uint32_t l = length + 1; l <= num_lengths; l += l & (~l + 1))
                at(s, l) = entry > at(s, l) ? entry : at(s, l);
        }
    }

  private:
    static constexpr unsigned size_bits = 3;
    static constexpr unsigned length_bits = 5;
    static constexpr std::uint32_t num_lengths = 42U << length_bits; ///< lengths below 2^41 ticks
    /// An entry is an epoch and, in the lower bits, an instant; entries of past epochs are ignored.
    static constexpr unsigned instant_bits = 45;
    static constexpr std::uint64_t last_epoch = (std::uint64_t{1} << (64 - instant_bits)) - 1;

    [[nodiscard]] BURSAR_HD static std::int64_t largest_gang(const RunPlan& plan) {
        std::int64_t largest = 1;
        for (ShapeId shape{0}; shape < plan.num_shapes; ++shape)
            largest = plan.current_shapes[shape].slots() > largest
                          ? plan.current_shapes[shape].slots()
                          : largest;
        return largest;
    }
    /// The greatest common divisor of all gangs' slots.
    [[nodiscard]] BURSAR_HD static std::int64_t common_unit(const RunPlan& plan) {
        std::int64_t unit = 0;
        for (ShapeId shape{0}; shape < plan.num_shapes; ++shape) {
            for (std::int64_t other = plan.current_shapes[shape].slots(); other != 0;) {
                const std::int64_t rest = unit % other;
                unit = other;
                other = rest;
            }
        }
        return unit > 0 ? unit : 1;
    }

    [[nodiscard]] BURSAR_HD static unsigned highest_bit(std::uint64_t number) {
#ifdef __CUDA_ARCH__
        return 63U - static_cast<unsigned>(__clzll(static_cast<long long>(number)));
#else
        return 63U - static_cast<unsigned>(__builtin_clzll(number));
#endif
    }
    /// The class of a number >= 1, rounded down: 2^bits classes from one power of two to the next.
    [[nodiscard]] BURSAR_HD static std::uint32_t class_of(std::int64_t number, unsigned bits) {
        const auto scaled = static_cast<std::uint64_t>(number) << bits;
        const unsigned high = highest_bit(scaled);
        const std::uint64_t fraction = scaled >> (high - bits) & ((1U << bits) - 1);
        return ((high - bits) << bits) + static_cast<std::uint32_t>(fraction);
    }
    [[nodiscard]] BURSAR_HD std::uint32_t size_class(std::int64_t slots) const {
        return slots < unit_ ? 0 : class_of(slots / unit_, size_bits);
    }
    [[nodiscard]] BURSAR_HD std::uint32_t size_class_above(std::int64_t slots) const {
        return slots <= unit_ ? 0 : class_of((slots - 1) / unit_, size_bits) + 1;
    }
    [[nodiscard]] BURSAR_HD static std::uint32_t length_class(std::int64_t ticks) {
        return class_of(ticks, length_bits);
    }
    [[nodiscard]] BURSAR_HD std::uint64_t& at(std::uint32_t size, std::uint32_t length) const {
        assert(size >= 1 && size <= num_sizes_ && length >= 1 && length <= num_lengths);
        return instants_[(size - 1) * std::size_t{num_lengths} + length - 1];
    }

    std::int64_t unit_{1};
    std::uint32_t num_sizes_{};
    std::uint64_t* instants_{};
    std::uint64_t epoch_{};
};

}} // namespace bursar::sim
