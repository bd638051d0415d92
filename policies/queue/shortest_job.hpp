#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/plan/plan.hpp"

namespace bursar {

/// Serves the job with the least run time; ties by submit order. Never preempts.
/// Source: Conway, Maxwell, Miller 1967, "Theory of Scheduling" (shortest processing time first).
struct ShortestJobFirst {
    static constexpr std::string_view name = "sjf";
    static constexpr std::string_view summary = "least run time first; ties by submit order";

    [[nodiscard]] BURSAR_HD std::uint64_t key(const JobView& job) const {
        return static_cast<std::uint64_t>(job.run_time.count());
    }
};

} // namespace bursar
