#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/plan/ids.hpp"
#include "sim/record/outcome.hpp"

namespace bursar { inline namespace sim {

/// The columns of JobRows as pointers into host or device memory, and functions that write each
/// event of a job.
struct RowColumns {
    JobPhase* phase{};
    std::uint16_t* pool{};
    std::uint8_t* level{}; ///< null: the plan has one level
    std::int64_t* start_ms{};
    std::int64_t* finish_ms{};
    std::int64_t* last_start_ms{}; ///< may be null until the first attempt is stopped

    BURSAR_HD void started(JobId job, PoolId on_pool, std::uint32_t at_level, std::int64_t now_ms) {
        (phase[job] == JobPhase::preempted ? last_start_ms : start_ms)[job] = now_ms;
        phase[job] = JobPhase::running;
        pool[job] = static_cast<std::uint16_t>(on_pool);
        if (level != nullptr)
            level[job] = static_cast<std::uint8_t>(at_level);
    }
    /// Returns the stopped attempt. kept_ms, lost_ms: its time at work that is kept, and that must
    /// be done again. owed_ms: the part of its recovery that the next attempt does.
    [[nodiscard]] BURSAR_HD StoppedAttempt stopped(JobId job,
                                                   StopCause cause,
                                                   std::int64_t now_ms,
                                                   std::int64_t kept_ms,
                                                   std::int64_t lost_ms,
                                                   std::int64_t owed_ms) {
        phase[job] = JobPhase::preempted;
        const std::int64_t again = last_start_ms[job];
        return {again < start_ms[job] ? start_ms[job] : again,
                now_ms,
                kept_ms,
                lost_ms,
                static_cast<std::uint32_t>(job),
                pool[job],
                level == nullptr ? std::uint8_t{0} : level[job],
                cause,
                owed_ms};
    }
    BURSAR_HD void finished(JobId job, std::int64_t now_ms) {
        phase[job] = JobPhase::finished;
        finish_ms[job] = now_ms;
    }
    BURSAR_HD void dropped(JobId job, std::int64_t now_ms) {
        phase[job] = JobPhase::dropped;
        finish_ms[job] = now_ms;
    }
};

}} // namespace bursar::sim
