#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/ledger/leaf.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// A waiting job that has been given GPUs of a pool.
struct ChosenJob {
    WaitingJob job{};
    PoolId pool{};
};

/// Jobs that have GPUs by count and could not be placed, in order; what they have is held for them.
/// They are apart from the queue until a pass gives them GPUs again or does not.
class HeldJobs {
  public:
    static constexpr Leaf leaf = Leaf::idle_gang; ///< of what is held

    HeldJobs() = default;
    BURSAR_HD HeldJobs(ArenaCarver& carver, const PlanView& plan, std::uint32_t max_live)
        : plan_{plan}, jobs_{carver.take<ChosenJob>(max_live)},
          slots_{carver.take<std::int64_t>(plan.num_pools)},
          num_in_queue_{carver.take<std::uint32_t>(plan.num_shapes)} {}

    BURSAR_HD void clear() {
        num_jobs_ = num_to_decide_ = next_ = 0;
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            slots_[pool] = 0;
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            num_in_queue_[shape] = 0;
        holds_any_ = false;
    }

    /// Whether anything is held.
    [[nodiscard]] BURSAR_HD bool holds_any() const { return holds_any_; }
    [[nodiscard]] BURSAR_HD std::int64_t slots(PoolId pool) const { return slots_[pool]; }
    /// How many of a shape's pending jobs something is held for.
    [[nodiscard]] BURSAR_HD std::int64_t jobs(ShapeId shape) const { return num_in_queue_[shape]; }

    /// Slots of a pool held for jobs before `rank`.
    [[nodiscard]] BURSAR_HD std::int64_t slots_before(const Rank& rank, PoolId pool) const {
        std::int64_t sum = 0;
        for (std::uint32_t i = 0; i < num_jobs_ && jobs_[i].job.rank < rank; ++i) {
            if (jobs_[i].pool == pool)
                sum += plan_.shapes[jobs_[i].job.shape].slots();
        }
        return sum;
    }

    /// A pass begins: nothing is held, and all of them are to be decided about, in order.
    BURSAR_HD void begin_pass() {
        if (!holds_any_)
            return;
        const std::uint32_t num_jobs = num_jobs_;
        clear();
        num_to_decide_ = num_jobs;
    }
    [[nodiscard]] BURSAR_HD bool has_next_before(const Rank& rank) const {
        return next_ < num_to_decide_ && jobs_[next_].job.rank < rank;
    }
    BURSAR_HD const ChosenJob& take_next() { return jobs_[next_++]; }

    /// Jobs come in order, once all of the last pass are decided.
    BURSAR_HD void hold(const ChosenJob& chosen) {
        num_to_decide_ = next_ = 0;
        jobs_[num_jobs_++] = chosen;
        slots_[chosen.pool] += plan_.shapes[chosen.job.shape].slots();
        holds_any_ = true;
    }

    /// Hands each to `put_back(job)`, which gives it to the queue; what is held stays held.
    template <class PutBack>
    BURSAR_HD void return_all(const PutBack& put_back) {
        for (; num_jobs_ > 0; --num_jobs_) {
            const WaitingJob& job = jobs_[num_jobs_ - 1].job;
            ++num_in_queue_[job.shape];
            put_back(job);
        }
    }

  private:
    PlanView plan_;
    ChosenJob* jobs_{};
    std::int64_t* slots_{};
    std::uint32_t* num_in_queue_{}; ///< by shape: those that were returned
    std::uint32_t num_jobs_{};
    std::uint32_t num_to_decide_{};
    std::uint32_t next_{};
    bool holds_any_{};
};

} // namespace bursar::inline sim
