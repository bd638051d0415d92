#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/ledger/leaf.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// A waiting job that has been given GPUs of a pool.
struct ChosenJob {
    WaitingJob job{};
    PoolId pool{};
    std::int32_t slots{}; ///< requested
};

/// A shape that could not be placed in a pool, nor in another one. Since then capacity has only
/// been taken.
struct RefusedPlace {
    ShapeId shape{0xffffffffU};
    PoolId pool{};
    friend BURSAR_HD bool operator==(const RefusedPlace& a, const RefusedPlace& b) {
        return a.shape == b.shape && a.pool == b.pool;
    }
};

/// Jobs that have GPUs by count and could not be placed, in order; their GPUs are held for them.
/// They are not in the queue until a pass gives them no GPUs or places them.
///
/// A pass walks them twice. First each is kept if it gets GPUs again, otherwise dropped. Then each
/// is kept if it still cannot be placed, otherwise dropped, and new such jobs are added.
class HeldJobs {
  public:
    static constexpr Leaf leaf = Leaf::idle_gang; ///< of held slots

    HeldJobs() = default;
    BURSAR_HD HeldJobs(ArenaCarver& carver, const RunPlan& plan, std::uint32_t max_live)
        : plan_{plan}, jobs_{carver.take<ChosenJob>(max_live)},
          slots_{carver.take<std::int64_t>(plan.num_pools)},
          num_in_queue_{carver.take<std::uint32_t>(plan.num_shapes)} {}

    BURSAR_HD void clear() {
        num_jobs_ = num_to_see_ = next_ = 0;
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            slots_[pool] = 0;
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            num_in_queue_[shape] = 0;
        holds_any_ = has_returned_ = false;
    }

    /// Whether anything is held.
    [[nodiscard]] BURSAR_HD bool holds_any() const { return holds_any_; }
    [[nodiscard]] BURSAR_HD std::int64_t slots(PoolId pool) const { return slots_[pool]; }
    /// Pending jobs of a shape with held GPUs, that are in the queue.
    [[nodiscard]] BURSAR_HD std::int64_t jobs(ShapeId shape) const { return num_in_queue_[shape]; }

    /// Slots of a pool held for jobs before `rank`.
    [[nodiscard]] BURSAR_HD std::int64_t slots_before(const Rank& rank, PoolId pool) const {
        std::int64_t sum = 0;
        for (std::uint32_t i = 0; i < num_jobs_ && jobs_[i].job.rank < rank; ++i) {
            if (jobs_[i].pool == pool)
                sum += jobs_[i].slots;
        }
        return sum;
    }

    /// Begins a pass: frees the held GPUs, and starts a walk over the jobs.
    BURSAR_HD void begin_pass() {
        if (!holds_any_)
            return;
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            slots_[pool] = 0;
        for (ShapeId shape{0}; has_returned_ && shape < plan_.num_shapes; ++shape)
            num_in_queue_[shape] = 0;
        holds_any_ = has_returned_ = false;
        go_through();
    }
    /// Starts a walk over the jobs that were kept.
    BURSAR_HD void go_through() {
        num_to_see_ = num_jobs_;
        num_jobs_ = next_ = 0;
    }
    [[nodiscard]] BURSAR_HD bool has_next() const { return next_ < num_to_see_; }
    [[nodiscard]] BURSAR_HD bool has_next_before(const Rank& rank) const {
        return has_next() && jobs_[next_].job.rank < rank;
    }
    /// Precondition: has_next().
    [[nodiscard]] BURSAR_HD ChosenJob& next() { return jobs_[next_]; }
    BURSAR_HD void drop_next() { ++next_; }
    BURSAR_HD void keep_next() {
        if (num_jobs_ != next_)
            jobs_[num_jobs_] = jobs_[next_];
        ++num_jobs_;
        ++next_;
    }
    /// Keeps the next ones before `rank` as long as `keeps(job)`.
    template <class Keeps>
    BURSAR_HD void keep_while(const Rank& rank, const Keeps& keeps) {
        ChosenJob* const jobs = jobs_;
        const std::uint32_t gap = next_ - num_jobs_;
        std::uint32_t i = next_;
        for (; i < num_to_see_ && jobs[i].job.rank < rank && keeps(jobs[i]); ++i) {
            if (gap > 0)
                jobs[i - gap] = jobs[i];
        }
        next_ = i;
        num_jobs_ = i - gap;
    }
    /// Jobs kept so far.
    [[nodiscard]] BURSAR_HD std::uint32_t num_kept() const { return num_jobs_; }

    /// Adds a job after those kept so far and before those yet to be seen.
    BURSAR_HD void add(const ChosenJob& chosen) {
        if (num_jobs_ == next_) {
            for (std::uint32_t i = num_to_see_++; i > next_; --i)
                jobs_[i] = jobs_[i - 1];
            ++next_;
        }
        jobs_[num_jobs_++] = chosen;
    }
    /// Holds slots of a pool.
    BURSAR_HD void hold(PoolId pool, std::int64_t slots) {
        slots_[pool] += slots;
        holds_any_ = true;
    }

    /// Calls `put_back(job)` for each, which returns it to the queue; slots stay held.
    template <class PutBack>
    BURSAR_HD void return_all(const PutBack& put_back) {
        for (; num_jobs_ > 0; --num_jobs_) {
            const WaitingJob& job = jobs_[num_jobs_ - 1].job;
            ++num_in_queue_[job.shape];
            put_back(job);
        }
        has_returned_ = true;
    }

    /// Books the free capacity over [begin, end) by demand of `queue` and held slots.
    template <class Capacity, class Queue>
    BURSAR_HD void charge_idle(RunState& state,
                               const Capacity& capacity,
                               const Queue& queue,
                               std::int64_t begin_ms,
                               std::int64_t end_ms) const {
        Ledger& ledger = state.ledger;
        if (queue.num_jobs() == 0)
            state.idle.charge_no_demand(ledger, capacity, begin_ms, end_ms);
        else if (holds_any_)
            state.idle.charge_by_demand(ledger, capacity, queue, begin_ms, end_ms, *this);
        else
            state.idle.charge_by_demand(ledger, capacity, queue, begin_ms, end_ms);
    }

  private:
    RunPlan plan_;
    ChosenJob* jobs_{};
    std::int64_t* slots_{};
    std::uint32_t* num_in_queue_{}; ///< by shape: jobs returned to the queue
    std::uint32_t num_jobs_{};
    std::uint32_t num_to_see_{};
    std::uint32_t next_{};
    bool holds_any_{};
    bool has_returned_{}; ///< some are in the queue
};

}} // namespace bursar::sim
