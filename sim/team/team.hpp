#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// A team executes the engine's body: one host thread, or the 32 lanes of a GPU warp on one
/// scenario.
///
/// A team has three primitives and a special case of the last, `once`:
///   minimum(n, value, none)  the least value(i) over i < n, or `none`
///   first(n, test)           the least i < n with test(i), or n
///   for_each(n, act)         act(i) for every i < n, shared among the lanes
///   once(act)                act() by one lane; all lanes see what it wrote
/// Every lane calls every primitive with equal arguments and gets the equal answer; state is
/// written inside for_each and once only.

/// One lane alone, with plain loops: the host's team.
struct OneLane {
    template <class T, class Value>
    [[nodiscard]] BURSAR_HD T minimum(std::uint32_t n, Value value, T none) const {
        T least = none;
        for (std::uint32_t i = 0; i < n; ++i) {
            const T candidate = value(i);
            if (candidate < least)
                least = candidate;
        }
        return least;
    }
    template <class Test>
    [[nodiscard]] BURSAR_HD std::uint32_t first(std::uint32_t n, Test test) const {
        std::uint32_t i = 0;
        while (i < n && !test(i))
            ++i;
        return i;
    }
    template <class Act>
    BURSAR_HD void for_each(std::uint32_t n, Act act) const {
        for (std::uint32_t i = 0; i < n; ++i)
            act(i);
    }
    template <class Act>
    BURSAR_HD void once(Act act) const {
        act();
    }
};

}} // namespace bursar::sim
