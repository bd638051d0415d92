#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/units.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// An event of a pool at one instant.
struct TraceMoment {
    enum class Kind : std::uint8_t {
        price,    ///< the price changes
        capacity, ///< nodes are launched, terminated, fail or are repaired
        stop      ///< an attempt is stopped
    };
    Duration at{};
    Kind kind{};
    std::uint32_t pool{};
    std::size_t index{}; ///< price: a step of its series; capacity: a row of the timeline; stop:
                         ///< one of the stopped attempts
    std::int64_t more_down{}; ///< capacity: newly down slots; < 0: repaired
    std::int64_t more_off{};  ///< capacity: slots of terminated nodes; < 0: of launched ones
};

/// Events in order of time. shows(job): whether the stops of its attempts are included.
[[nodiscard]] std::vector<TraceMoment> moments_of(const Result& result,
                                                  const std::function<bool(std::size_t)>& shows);

/// "12 GPUs down", "0.35 USD/gpu-h", "preempted train". job: the name of the stopped job.
[[nodiscard]] std::string
text_of(const Result& result, const TraceMoment& moment, std::string_view job);

/// "submit" has another source; else "fault", "preempt", "price" or "capacity".
[[nodiscard]] std::string_view category_of(const Result& result, const TraceMoment& moment);

}} // namespace bursar::reports
