#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// How the end of a running attempt is predicted. One that is late may end at any moment.
enum class EndPrediction : std::uint8_t {
    exact,        ///< its real end, unless something stops it
    estimate,     ///< from the scheduler's estimate of its run time
    class_history ///< from the mean work of earlier attempts of its class; none: not predicted
};

/// Whether the next waiting jobs stage images and data ahead of their start
/// (sim/engine/staging.hpp).
struct PlanStaging {
    static constexpr std::uint32_t max_jobs = 1024;

    std::uint32_t num_jobs{}; ///< the next jobs in order that may stage at once; 0: none do
    EndPrediction predict{};

    [[nodiscard]] BURSAR_HD bool is_on() const { return num_jobs > 0; }
};

}} // namespace bursar::sim
