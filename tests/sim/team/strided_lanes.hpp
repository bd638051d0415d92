#pragma once

#include <cstdint>

namespace bursar::test {

/// The warp's order of work on one host thread: 32 lanes stride over the range, then their answers
/// are combined lane by lane. A body whose answer depends on the
/// order of work inside a primitive would differ.
struct StridedLanes {
    static constexpr std::uint32_t num_lanes = 32;

    template <class T, class Value>
    [[nodiscard]] T minimum(std::uint32_t n, Value value, T none) const {
        T least = none;
        for (std::uint32_t lane = num_lanes; lane-- > 0;) {
            T own = none;
            for (std::uint32_t i = lane; i < n; i += num_lanes) {
                const T candidate = value(i);
                if (candidate < own)
                    own = candidate;
            }
            if (own < least)
                least = own;
        }
        return least;
    }
    /// As the warp votes: 32 are asked at a time, the last of them first.
    template <class Test>
    [[nodiscard]] std::uint32_t first(std::uint32_t n, Test test) const {
        for (std::uint32_t begin = 0; begin < n; begin += num_lanes) {
            std::uint32_t found = n;
            for (std::uint32_t lane = num_lanes; lane-- > 0;) {
                if (begin + lane < n && test(begin + lane))
                    found = begin + lane;
            }
            if (found < n)
                return found;
        }
        return n;
    }
    template <class Act>
    void for_each(std::uint32_t n, Act act) const {
        for (std::uint32_t lane = num_lanes; lane-- > 0;) {
            for (std::uint32_t i = lane; i < n; i += num_lanes)
                act(i);
        }
    }
    template <class Act>
    void once(Act act) const {
        act();
    }
};

} // namespace bursar::test
