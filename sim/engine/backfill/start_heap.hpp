#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/quad_heap.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// A job and the tick at which what was promised to it begins; ties by number.
struct PromisedStart {
    std::int64_t tick{};
    JobId job{};

    [[nodiscard]] BURSAR_HD std::uint32_t slot() const { return job; }
    friend BURSAR_HD bool operator<(const PromisedStart& a, const PromisedStart& b) {
        return a.tick < b.tick || (a.tick == b.tick && a.job < b.job);
    }
};

/// Jobs by their promised starts, the first on top.
using StartHeap = QuadHeap<PromisedStart, NoPlaces>;

}} // namespace bursar::sim
