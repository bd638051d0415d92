#pragma once

#include <cstdint>
#include <optional>

#include "sim/plan/plan.hpp"

namespace bursar { inline namespace sim {

/// How a job stands to its deadline at the end of a run.
enum class DeadlineState : std::uint8_t {
    open, ///< it was cancelled, or the run ended before anybody could say
    met,
    missed, ///< it ended later, or the run went on past it
    failed, ///< it came to nothing before
};

/// finish_ms: absent while the job is unfinished; how: it then means nothing. All in ms.
constexpr DeadlineState deadline_state(std::int64_t deadline_ms,
                                       JobEnd how,
                                       std::optional<std::int64_t> finish_ms,
                                       std::int64_t run_end_ms) {
    if (!finish_ms)
        return run_end_ms > deadline_ms ? DeadlineState::missed : DeadlineState::open;
    if (how == JobEnd::cancelled)
        return DeadlineState::open;
    if (*finish_ms > deadline_ms)
        return DeadlineState::missed;
    return how == JobEnd::completed ? DeadlineState::met : DeadlineState::failed;
}

}} // namespace bursar::sim
