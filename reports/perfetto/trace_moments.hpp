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

/// What happens at one instant to a pool or in it.
struct TraceMoment {
    enum class Kind : std::uint8_t {
        price,    ///< it changes
        capacity, ///< nodes come, end, fail or are back
        stop      ///< an attempt is stopped
    };
    Duration at{};
    Kind kind{};
    std::uint32_t pool{};
    std::size_t index{}; ///< price: a step of its series; capacity: a row of the timeline; stop:
                         ///< one of the stopped attempts
    std::int64_t more_down{}; ///< capacity: slots that are down now and were not; < 0: are back
    std::int64_t more_off{};  ///< capacity: of nodes that ended; < 0: that were launched
};

/// In order of time. shows(job): whether its stops are among them.
[[nodiscard]] std::vector<TraceMoment> moments_of(const Result& result,
                                                  const std::function<bool(std::size_t)>& shows);

/// "12 GPUs down", "0.35 USD/gpu-h", "preempted train". job: the name of the one that is stopped.
[[nodiscard]] std::string
text_of(const Result& result, const TraceMoment& moment, std::string_view job);

/// "submit" has another source; else "fault", "preempt", "price" or "capacity".
[[nodiscard]] std::string_view category_of(const Result& result, const TraceMoment& moment);

}} // namespace bursar::reports
