#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"
#include "sim/plan/stop_cause.hpp"
#include "sim/record/metrics.hpp"

/// The parts of a result with one row per job, attempt or instant: structures of arrays.
namespace bursar { inline namespace reports {

/// State of a job at the end of the run.
enum class JobState : std::uint8_t {
    completed,
    failed,
    cancelled,
    node_failed,
    running,
    queued,
    not_submitted,
    preempted, ///< waits for GPUs again
    dependent, ///< waits for other jobs to end
    stopped,   ///< has ended: a trial that a stopping rule ended
    rejected,  ///< refused at its submit, as it cannot meet its deadline
    dropped    ///< left the queue, as it could no longer meet it; it may have been preempted before
};

inline constexpr std::array<std::string_view, 12> job_state_names{"completed",
                                                                  "failed",
                                                                  "cancelled",
                                                                  "node_failed",
                                                                  "running",
                                                                  "queued",
                                                                  "not_submitted",
                                                                  "preempted",
                                                                  "dependent",
                                                                  "stopped",
                                                                  "rejected",
                                                                  "dropped"};
/// Whether it never waits for GPUs in the run.
constexpr bool is_never_eligible(JobState state) {
    return state == JobState::dependent || state == JobState::rejected;
}
constexpr bool has_finished(JobState state) {
    return state < JobState::running || state == JobState::stopped;
}
constexpr bool has_started(JobState state) {
    return has_finished(state) || state == JobState::running || state == JobState::preempted;
}

/// Whether it waits for its first start no more.
constexpr bool is_first_wait_over(JobState state) {
    return has_started(state) || state == JobState::dropped;
}

/// Whether the work done so far is kept, or may still be.
constexpr bool is_kept(JobState state) {
    return state == JobState::completed || state == JobState::running ||
           state == JobState::preempted;
}

/// By StopCause.
inline constexpr std::array<std::string_view, 12> stop_cause_names{"none",
                                                                   "preempted",
                                                                   "reclaimed",
                                                                   "node_failed",
                                                                   "hung",
                                                                   "maintenance",
                                                                   "budget",
                                                                   "resized",
                                                                   "reclaimed_unsaved",
                                                                   "job_failed",
                                                                   "migrated",
                                                                   "shared"};

/// One row per job in plan order (structure of arrays, columns of equal length). Times are over the
/// whole run, not cut to the measured window; 0 where they do not apply to the state.
struct JobColumns {
    std::string names; ///< one after the other; job j is [name_end[j-1], name_end[j])
    std::vector<std::uint64_t> name_end; ///< empty with `names`: jobs are named by their index
    std::vector<JobState> state;
    std::vector<std::uint32_t> gpus;
    std::vector<std::uint16_t> tenant;
    std::vector<std::uint16_t> pool; ///< of its last attempt
    std::vector<std::int64_t> submit_ms;
    /// Since when it waits for GPUs; of jobs that wait for others the end of the run. Empty: its
    /// submit.
    std::vector<std::int64_t> eligible_ms;
    /// First start; of a job that was dropped before: when it was.
    std::vector<std::int64_t> start_ms;
    std::vector<std::int64_t> finish_ms; ///< when its GPUs were released, or it was dropped
    /// At work in its last attempt: held, without start-up or recovery, saves and teardown.
    std::vector<std::int64_t> work_ms;
    /// Time that it would hold its GPUs alone and undisturbed on the best pool that it may use; of
    /// jobs in every state.
    std::vector<std::int64_t> ideal_ms;
    std::vector<std::uint8_t> level; ///< of its last attempt; empty: there is one level
    /// Start of the last attempt where it is not the first; empty where nothing was stopped.
    std::vector<std::int64_t> last_start_ms;
    /// GPUs of the last attempt; empty where all jobs have those that they asked for.
    std::vector<std::uint32_t> last_gpus{};
    /// Slots of the gang that stalled while it was at work, of jobs whose work was kept; empty
    /// where no job has any.
    std::vector<std::int64_t> stalled_slots;
    /// Of each of its GPUs; empty where all jobs have whole ones.
    std::vector<std::uint16_t> gpu_slots;
    /// The same in the last attempt; empty where no jobs share the GPUs of a gang.
    std::vector<std::uint16_t> last_gpu_slots{};
    /// Number from 1 of its modelled run, which depends on its pool; 0: none. Empty: all have none.
    std::vector<std::uint16_t> modelled;
    /// Cost of a GPU-hour of its work that the broker assumed for the pool of its last attempt, in
    /// nano-USD, at the start of the attempt; empty where the broker does not compare costs.
    std::vector<std::int64_t> believed_cost;
    std::vector<std::int64_t> deadline_ms; ///< 0: it has none; empty where no job has one
    /// GPU time that a trial was spared as it was stopped after this job, at the speed of the job's
    /// last attempt; 0 for all others. Empty: all are 0.
    std::vector<std::int64_t> spared_gpu_ms{};
    /// Part of its start-up that it did not wait for, as it was staged ahead; empty: all are 0.
    std::vector<std::int64_t> staged_ms{};
    std::vector<std::uint16_t> job_class; ///< of Result::classes; empty: the scenario has none
    /// Time in the queue, of all its waits, by WaitReason; the rest it waited for GPUs that other
    /// jobs held. wait_turn_ms is empty where reasons were not kept, the others also where no job
    /// has any.
    std::vector<std::int64_t> wait_turn_ms, wait_place_ms, wait_nodes_ms;

    [[nodiscard]] std::size_t size() const { return state.size(); }
    /// As in eligible_ms.
    [[nodiscard]] std::int64_t eligible(std::size_t job) const {
        return eligible_ms.empty() ? submit_ms[job] : eligible_ms[job];
    }
    /// When its first wait for GPUs ended, at the end of the run at the latest.
    [[nodiscard]] std::int64_t first_wait_end(std::size_t job, Duration run_end) const {
        return is_first_wait_over(state[job]) ? start_ms[job] : run_end.count();
    }
    /// Time since it was eligible / ideal run time; absent if the ideal run time is 0.
    /// Precondition: it has finished.
    [[nodiscard]] std::optional<std::int64_t> slowdown_millionths(std::size_t job) const {
        if (ideal_ms[job] <= 0)
            return std::nullopt;
        return ratio_millionths(finish_ms[job] - eligible(job), ideal_ms[job]);
    }
    /// Slots that it asked for of each of its GPUs.
    [[nodiscard]] std::int64_t slots_of_gpu(std::size_t job) const {
        return gpu_slots.empty() ? std::int64_t{slots_per_gpu} : gpu_slots[job];
    }
    /// Slots of the gang that it asked for.
    [[nodiscard]] std::int64_t slots(std::size_t job) const {
        return gpus[job] * slots_of_gpu(job);
    }
    /// Slots of the gang in its last attempt.
    [[nodiscard]] std::int64_t last_slots(std::size_t job) const {
        return (last_gpus.empty() ? gpus : last_gpus)[job] *
               (last_gpu_slots.empty() ? slots_of_gpu(job) : last_gpu_slots[job]);
    }
    [[nodiscard]] std::int64_t stalled(std::size_t job) const {
        return stalled_slots.empty() ? 0 : stalled_slots[job];
    }
    /// Start of the last attempt of a job that has started.
    [[nodiscard]] std::int64_t last_start(std::size_t job) const {
        return last_start_ms.empty() ? start_ms[job] : std::max(start_ms[job], last_start_ms[job]);
    }
    /// As in staged_ms.
    [[nodiscard]] std::int64_t staged(std::size_t job) const {
        return staged_ms.empty() ? 0 : staged_ms[job];
    }
    /// The name of `job`; absent when jobs are named by their index.
    [[nodiscard]] std::optional<std::string_view> name(std::size_t job) const {
        if (name_end.empty())
            return std::nullopt;
        const std::uint64_t begin = job == 0 ? 0 : name_end[job - 1];
        return std::string_view{names}.substr(begin, name_end[job] - begin);
    }
    bool operator==(const JobColumns&) const = default;
};

/// The stopped attempts, in order of their stops (structure of arrays, columns of equal length);
/// see StoppedAttempt.
struct StoppedColumns {
    std::vector<std::uint32_t> job;
    std::vector<std::uint16_t> pool;
    std::vector<std::uint8_t> level;
    std::vector<std::int64_t> start_ms;
    std::vector<std::int64_t> stop_ms;
    std::vector<std::int64_t> kept_ms;
    std::vector<std::int64_t> lost_ms;
    std::vector<StopCause> cause;           ///< empty: all were preempted
    std::vector<std::uint32_t> gpus{};      ///< empty: those that their jobs asked for
    std::vector<std::uint16_t> gpu_slots{}; ///< of each of the GPUs; empty: likewise
    /// Slots of the gang that stalled while it was at work; empty where no job has any.
    std::vector<std::int64_t> stalled_slots;
    std::vector<std::int64_t> believed_cost; ///< as of JobColumns

    [[nodiscard]] std::size_t size() const { return job.size(); }
    [[nodiscard]] std::int64_t stalled(std::size_t attempt) const {
        return stalled_slots.empty() ? 0 : stalled_slots[attempt];
    }
    [[nodiscard]] StopCause cause_of(std::size_t attempt) const {
        return cause.empty() ? StopCause::preempted : cause[attempt];
    }
    bool operator==(const StoppedColumns&) const = default;
};

/// Slots of the gang of a stopped attempt.
[[nodiscard]] inline std::int64_t
slots_of_stopped(const JobColumns& jobs, const StoppedColumns& stopped, std::size_t attempt) {
    const std::uint32_t job = stopped.job[attempt];
    return (stopped.gpus.empty() ? jobs.gpus[job] : stopped.gpus[attempt]) *
           (stopped.gpu_slots.empty() ? jobs.slots_of_gpu(job) : stopped.gpu_slots[attempt]);
}

/// The timeline in time order (structure of arrays, columns of equal length); see TimelineRow.
struct TimelineColumns {
    std::vector<std::int64_t> time_ms;
    std::vector<std::uint32_t> pool;
    std::vector<std::int64_t> allocated_slots;
    std::vector<std::uint32_t> queue_jobs;
    std::vector<std::int64_t> queue_slots;
    std::vector<std::int64_t> down_slots; ///< paid for but unavailable; empty: none ever
    std::vector<std::int64_t> off_slots;  ///< of nodes that are not launched; empty: none ever

    [[nodiscard]] std::size_t size() const { return time_ms.size(); }
    bool operator==(const TimelineColumns&) const = default;
};

/// The nodes of each attempt, in the order of for_each_attempt (structure of arrays); empty where
/// they were not recorded, such as under `capacity: count`.
struct PlaceColumns {
    std::vector<std::uint32_t>
        end; ///< of each attempt: its pieces are [end of the one before, end)
    std::vector<std::uint32_t> node; ///< of each piece, from 0 in the attempt's pool
    std::vector<std::uint16_t> gpus; ///< held there; a shared GPU counts whole

    [[nodiscard]] bool empty() const { return end.empty(); }
    [[nodiscard]] std::size_t begin_of(std::size_t attempt) const {
        return attempt == 0 ? 0 : end[attempt - 1];
    }
    bool operator==(const PlaceColumns&) const = default;
};

/// Phases of attempts other than work, by kind of jobs (structure of arrays). Empty where no jobs
/// were recorded.
struct PhaseColumns {
    std::vector<std::int64_t> startup_ms;  ///< before the work of a first attempt
    std::vector<std::int64_t> recovery_ms; ///< before the work of later attempts
    /// Before the work of attempts that go on with other GPUs; empty: there are none.
    std::vector<std::int64_t> rescale_ms{};
    std::vector<std::int64_t> teardown_ms; ///< after all work
    std::vector<std::uint8_t>
        saves; ///< 1: periodically while it works; 0: only when stopped, if at all
    std::vector<std::uint16_t> kind; ///< of each job; empty: there is one kind

    [[nodiscard]] bool empty() const { return startup_ms.empty(); }
    [[nodiscard]] std::size_t kind_of(std::size_t job) const {
        return kind.empty() ? 0 : kind[job];
    }
    bool operator==(const PhaseColumns&) const = default;
};

/// The cells divided by time, in the order of (bucket, cell) (structure of arrays, columns of equal
/// length). A cell is the sum of its parts.
struct PeriodColumns {
    static constexpr unsigned low_held_bits = 63;
    /// Above the high part of any run: 2^24 GPUs of a pool for 2^41 ms are 2^75 slot-ms.
    static constexpr std::uint64_t max_held_high = std::uint64_t{1} << 13U;

    Duration width{};  ///< of a bucket; 0: cells were not divided
    Duration origin{}; ///< where bucket 0 begins, <= 0
    std::vector<std::uint32_t> bucket;
    std::vector<std::uint32_t> cell; ///< its place in Result::cells
    /// Slot time: slot_ms_high * 2^63 + slot_ms. The high part is empty where all are 0.
    std::vector<std::uint64_t> slot_ms, slot_ms_high;
    /// Cost in units of Money: cost_high * 2^40 + cost_low; empty where every price is constant.
    std::vector<std::uint64_t> cost_high, cost_low;

    [[nodiscard]] std::size_t size() const { return bucket.size(); }
    [[nodiscard]] SlotTime held(std::size_t i) const {
        const int128 high = slot_ms_high.empty() ? 0 : slot_ms_high[i];
        return SlotTime{(high << low_held_bits) + slot_ms[i]};
    }
    bool operator==(const PeriodColumns&) const = default;
};

}} // namespace bursar::reports
