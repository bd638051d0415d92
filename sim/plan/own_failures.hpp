#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// How jobs of a class fail by themselves on a pool. Rates in failures per 10^9 hours that a job
/// holds its GPUs: its start-up or recovery, its work and the saves in between.
struct OwnFailures {
    std::int64_t per_job{}; ///< >= 0
    std::int64_t per_gpu{}; ///< >= 0; so much for each GPU of the gang
    std::int64_t hold_ms{}; ///< for how long its GPUs are held until it is noticed; >= 0

    [[nodiscard]] BURSAR_HD std::int64_t rate(std::uint32_t gpus) const {
        return per_job + per_gpu * gpus;
    }
    bool operator==(const OwnFailures&) const = default;
};

}} // namespace bursar::sim
