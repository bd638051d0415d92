#pragma once

#include <cstdint>

namespace bursar { inline namespace sim {

/// When an attempt may not be preempted, and what it is granted if it is.
struct PreemptionLimits {
    static constexpr std::uint32_t no_limit = 0xffffffffU;

    std::uint32_t max_per_job{no_limit}; ///< a job preempted so often runs to its end
    std::int64_t min_run_ms{};           ///< an attempt that holds its GPUs for less stays
    std::int64_t grace_ms{};             ///< it runs on for so long before it stops
};

}} // namespace bursar::sim
