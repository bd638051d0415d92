#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"

#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// Jobs of one gang size.
struct GangShare {
    std::uint32_t gpus{};
    std::uint64_t jobs{};
    SlotTime gpu_time{};
    double job_share{};      ///< of all jobs, 0..1
    double gpu_time_share{}; ///< of all GPU time, 0..1
};

/// Jobs that ended in one way.
struct EndShare {
    JobEnd end{};
    std::uint64_t jobs{};
    SlotTime gpu_time{};
    double job_share{};
    double gpu_time_share{};
};

/// Run times. Percentile p is at rank p/100 x (n - 1) of the sorted values, counted from 0,
/// interpolated linearly, as in the reports (Hyndman & Fan 1996, definition 7); exact to half a
/// millisecond.
struct DurationSummary {
    double mean_ms{};
    double median_ms{};
    double p90_ms{};
    double p99_ms{};
    std::int64_t max_ms{};
};

/// The demand of a trace, before any policy: the answer of `bursar trace info`.
struct TraceSummary {
    std::uint64_t jobs{};
    std::size_t tenants{};
    SlotTime gpu_time{}; ///< sum of gpus * gpu_milli * duration; exact
    Duration span{};     ///< last submit minus first submit
    DurationSummary duration;
    double mean_gpus{};            ///< per job; a share of a GPU counts as that share
    double median_gpus{};          ///< the same; of an even number of jobs the mean of the two in
                                   ///< the middle
    std::vector<GangShare> gangs;  ///< by size, smallest first
    double mean_interarrival_ms{}; ///< span / (jobs - 1); 0 for one job
    double interarrival_cv{}; ///< standard deviation (of n, not n - 1) over mean; 0 if mean is 0
    std::array<EndShare, 5> ends; ///< by JobEnd; all completed if the trace has no states
    bool has_states{};
    std::int64_t peak_slots{}; ///< most slots (1000 a GPU) in use at once if every job started at
                               ///< its submit

    /// Offered load of a cluster of `gpus` (>= 1): GPU time over gpus times span. Above 1 the queue
    /// grows as long as jobs arrive. Infinite if all jobs are submitted at once.
    [[nodiscard]] double offered_load(std::int64_t gpus) const;
};

/// trace: not empty, in any order. Takes O(n log n) time and 24 bytes a job.
TraceSummary summarise(const Trace& trace);

}} // namespace bursar::scenarios
