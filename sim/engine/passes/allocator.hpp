#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// In place of a partner: none.
inline constexpr JobId no_partner = Candidate::no_job();

/// A job that waits or works.
struct AllocationJob {
    JobId job{};
    PoolId pool{};             ///< whose GPUs it holds; num_pools: it waits
    std::uint64_t pools{};     ///< bit p: it may start on pool p, which could hold it if empty
    JobId partner{no_partner}; ///< the job that shares its GPUs
    std::int64_t slots{};      ///< of its gang: GPUs * slots_per_gpu, fewer for part of a GPU; half
                               ///< of them if it shares its GPUs
    std::uint32_t gpus{};      ///< that it holds, or asks for if it waits
    std::uint64_t permitted{}; ///< bit p: it may use pool p now, whether that could hold it or not
    std::uint16_t job_class{}; ///< by which it works on those
    /// Numbers of GPUs that it may have, fewest first; empty: `gpus` alone.
    std::span<const PlanForm> forms{};
    std::int64_t work_left_ms{}; ///< the scheduler's estimate, at reference speed; >= 0
    std::int64_t attained_ms{};  ///< time it has held GPUs, all attempts
    std::int64_t start_ms{};     ///< since when it holds those that it has
    bool is_saving{};            ///< it was stopped and saves its state: it can't start yet
    /// It works on GPUs that end or close, under a notice or before maintenance: no other job could
    /// have them, and its pool's slots are without them.
    bool is_on_leaving{};
    /// Some of the work since its start would survive a stop. One that is stopped earlier, again
    /// and again, would never end.
    bool would_keep_work{};
};

/// The GPUs of a pool that are up, without those that jobs may only work on until they end.
struct AllocationPool {
    std::int64_t slots{};         ///< held or free
    std::int64_t leaving_slots{}; ///< held by jobs that save or clean up, so not to be given now
    std::int64_t price{}; ///< of a GPU-hour now, in nano-USD; 0: the pool is paid in any case

    [[nodiscard]] std::int64_t usable_slots() const { return slots - leaving_slots; }
};

/// What an allocator decides by: all jobs that wait or work, in order of submission, and the pools.
struct AllocationView {
    const RunPlan& plan;
    std::int64_t now_ms{};
    std::int64_t round_ms{}; ///< between decisions; 0: at every event
    std::span<const AllocationJob> jobs;
    std::span<const AllocationPool> pools;
    std::span<const std::uint64_t> pools_of_shape; ///< as AllocationJob::pools, of shapes in use

    /// Whether a job should not be stopped or moved now: none of its work would survive, or no
    /// other job could have its GPUs.
    /// Nor is one that shares its GPUs, until the other job has ended.
    [[nodiscard]] bool stays(const AllocationJob& job) const {
        return job.pool < plan.num_pools &&
               (!job.would_keep_work || job.is_on_leaving || job.partner != no_partner);
    }
    /// How fast two jobs work that share the GPUs of a gang on a pool, each over its speed alone
    /// there, in all; 0: they can't share GPUs there.
    [[nodiscard]] double
    shared_speed(const AllocationJob& one, const AllocationJob& other, PoolId pool) const;
    /// Reference work per time of a job on a pool, its gang as close together as it can be; 0 if
    /// it may not start there, nor runs there.
    [[nodiscard]] double speed(const AllocationJob& job, PoolId pool) const;
    /// The same in one of its forms.
    [[nodiscard]] double
    speed_in(const AllocationJob& job, const PlanForm& form, PoolId pool) const;
    [[nodiscard]] std::uint32_t gpus_of(const PlanForm& form) const {
        return plan.shapes[form.shape].gpus;
    }

  private:
    [[nodiscard]] double speed_by_class(std::uint16_t job_class, PoolId pool) const;
    [[nodiscard]] double speed_beside(JobId job, const PlanPair& pair, PoolId pool) const {
        return speed_by_class(pair.paired_class, pool) / speed_by_class(plan.job_class[job], pool);
    }
};

/// One decision: the job holds its gang on `pool` from now on; num_pools: it stops, and waits. Jobs
/// that share GPUs are in no row. A waiting job may share the GPUs that its partner then holds.
struct AllocationRow {
    JobId job{};
    PoolId pool{};
    std::uint32_t gpus{}; ///< of one of its forms; 0: those that it holds, or asks for
    JobId partner{no_partner};
};

/// Decides for all jobs at once which of them hold GPUs, and of which pool. On the host only.
class Allocator {
  public:
    Allocator() = default;
    Allocator(const Allocator&) = delete;
    Allocator& operator=(const Allocator&) = delete;
    virtual ~Allocator() = default;

    /// Forgets what it knows: a run begins, or begins again.
    virtual void begin() {}

    /// Appends its decisions to `rows`. They are changes: a job that is not named stays as it is.
    /// With them the jobs of each pool hold at most its usable slots.
    virtual void allocate(const AllocationView& view, std::vector<AllocationRow>& rows) = 0;

    /// Whether it may decide otherwise later although nothing else has happened.
    [[nodiscard]] virtual bool moves_with_time() const { return false; }

    /// The waiting jobs that may not start now, whatever is free, by the last decision; sorted.
    /// Free GPUs that only they ask for are Leaf::idle_ineligible.
    [[nodiscard]] virtual std::span<const JobId> refused() const { return {}; }

    /// When it must decide again even if nothing happens, without rounds; horizon_ms: never.
    [[nodiscard]] virtual std::int64_t wake_ms() const { return horizon_ms; }

    /// What a reader of the run's results must know of its decisions; empty: nothing.
    [[nodiscard]] virtual std::string remark() const { return {}; }
};

/// A decision of an allocator that can't be followed. The run fails with it.
class AllocationError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// An allocator in one run, and the memory of its pass.
struct AllocatorRun {
    struct Present {
        JobId job{};
        AttemptId slot{LiveAttempts::none()}; ///< of its attempt; none: it waits
        JobId partner{no_partner};            ///< shares its GPUs
    };

    Allocator& allocator;
    std::vector<Present> present{};    ///< jobs that wait or hold GPUs, in order of submission
    std::vector<JobId> not_eligible{}; ///< submitted, and wait for other jobs to end
    std::vector<AllocationJob> jobs{};
    std::vector<AttemptId> attempts{}; ///< by place in `jobs`
    std::vector<AttemptId> leaving{};  ///< of jobs on GPUs that end or close; sorted
    std::vector<AllocationPool> pools{};
    std::vector<std::uint64_t> pools_of_shape{}; ///< AllocationJob::pools
    std::vector<AllocationRow> rows{};
    std::vector<std::uint32_t> num_refused{}; ///< Allocator::refused() by shape
};

inline double AllocationView::speed(const AllocationJob& job, PoolId pool) const {
    if ((job.pools >> pool & 1U) == 0 && job.pool != pool)
        return 0;
    return speed_by_class(job.job_class, pool);
}

inline double AllocationView::shared_speed(const AllocationJob& one,
                                           const AllocationJob& other,
                                           PoolId pool) const {
    const PlanPair* const pair = plan.pair_of(one.job, other.job);
    if (pair == nullptr || (pair->pools >> pool & 1U) == 0)
        return 0;
    return speed_beside(one.job, *pair, pool) +
           speed_beside(other.job, *plan.pair_of(other.job, one.job), pool);
}

inline double
AllocationView::speed_in(const AllocationJob& job, const PlanForm& form, PoolId pool) const {
    const bool is_held = job.pool == pool && gpus_of(form) == job.gpus;
    if (((pools_of_shape[form.shape] & job.permitted) >> pool & 1U) == 0 && !is_held)
        return 0;
    return speed_by_class(form.job_class, pool);
}

inline double AllocationView::speed_by_class(std::uint16_t job_class, PoolId pool) const {
    const std::uint16_t row = plan.classes[job_class].speed_row;
    return row == 0 ? 1.0
                    : static_cast<double>(plan.speed(row, pool, 0).speed) /
                          static_cast<double>(reference_speed);
}

}} // namespace bursar::sim
