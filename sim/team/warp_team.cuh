#pragma once

#include <cstdint>
#include <type_traits>

namespace bursar { inline namespace sim {

/// The device's team: the 32 lanes of one warp work on one scenario (see team.hpp). All lanes must
/// be converged at every call.
struct WarpTeam {
    static constexpr std::uint32_t num_lanes = 32;
    static constexpr unsigned all_lanes = 0xffffffffU;

    template <class T, class Value>
    __device__ T minimum(std::uint32_t n, Value value, T none) const {
        T least = none;
        for (std::uint32_t i = threadIdx.x % num_lanes; i < n; i += num_lanes) {
            const T candidate = value(i);
            if (candidate < least)
                least = candidate;
        }
        __syncwarp(all_lanes);
        for (unsigned distance = num_lanes / 2; distance > 0; distance /= 2) {
            const T other = exchange(least, distance);
            if (other < least)
                least = other;
        }
        return least;
    }
    template <class Test>
    __device__ std::uint32_t first(std::uint32_t n, Test test) const {
        __syncwarp(all_lanes);
        for (std::uint32_t begin = 0; begin < n; begin += num_lanes) {
            const std::uint32_t i = begin + threadIdx.x % num_lanes;
            const unsigned passed = __ballot_sync(all_lanes, i < n && test(i));
            if (passed != 0)
                return begin + static_cast<std::uint32_t>(__ffs(static_cast<int>(passed))) - 1;
        }
        return n;
    }
    template <class Act>
    __device__ void for_each(std::uint32_t n, Act act) const {
        __syncwarp(all_lanes);
        for (std::uint32_t i = threadIdx.x % num_lanes; i < n; i += num_lanes)
            act(i);
        __syncwarp(all_lanes);
    }
    template <class Act>
    __device__ void once(Act act) const {
        __syncwarp(all_lanes);
        if (threadIdx.x % num_lanes == 0)
            act();
        __syncwarp(all_lanes);
    }

  private:
    /// `value` of the lane whose number differs from this lane's in bit `distance`, word by word.
    template <class T>
    __device__ static T exchange(const T& value, unsigned distance) {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0);
        unsigned words[sizeof(T) / 4];
        memcpy(words, &value, sizeof(T));
        for (unsigned& word : words)
            word = __shfl_xor_sync(all_lanes, word, static_cast<int>(distance));
        T other;
        memcpy(&other, words, sizeof(T));
        return other;
    }
};

}} // namespace bursar::sim
