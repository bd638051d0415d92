#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// Sorts `num` values by `before(a, b)`, in place: O(n log n), also for device code. Equal ones
/// come in no particular order.
template <class T, class Before>
BURSAR_HD void heap_sort(T* values, std::uint32_t num, const Before& before) {
    const auto sift_down = [&](std::uint32_t hole, std::uint32_t size) {
        const T value = values[hole];
        for (std::uint32_t child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
            if (child + 1 < size && before(values[child], values[child + 1]))
                ++child;
            if (!before(value, values[child]))
                break;
            values[hole] = values[child];
            hole = child;
        }
        values[hole] = value;
    };
    for (std::uint32_t i = num / 2; i-- > 0;)
        sift_down(i, num);
    for (std::uint32_t size = num; size > 1;) {
        --size;
        const T last = values[size];
        values[size] = values[0];
        values[0] = last;
        sift_down(0, size);
    }
}

}} // namespace bursar::sim
