#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// A waiting job and the GPUs on which it stages, or will stage, its image and data.
struct StagedJob {
    std::int64_t begin_ms{}; ///< when its staging begins; it has begun once that is past
    JobId job{Candidate::no_job()};
    PoolId pool{};
    /// The running attempt whose end completes these GPUs; none(): they have become free.
    AttemptId awaits{LiveAttempts::none()};
};

/// What waiting jobs have staged (PlanStaging), and how long the attempts of each class held their
/// GPUs after their start-up. Nothing is kept in a plan without staging.
class StagedJobs {
  public:
    StagedJobs() = default;
    BURSAR_HD StagedJobs(ArenaCarver& carver, const RunPlan& plan, std::uint32_t max_live)
        : plan_{plan} {
        if (!plan.staging.is_on())
            return;
        jobs_ = carver.take<StagedJob>(plan.staging.num_jobs);
        next_ = carver.take<StagedJob>(plan.staging.num_jobs);
        next_jobs_ = carver.take<Candidate>(plan.staging.num_jobs);
        worked_ = carver.take<WorkSum>(plan.num_classes);
        ends_ = carver.take<PredictedEnd>(max_live);
        rooms_ = carver.take<PoolRoom>(plan.num_pools);
    }

    BURSAR_HD void clear() {
        num_ = 0;
        for (std::uint32_t i = 0; jobs_ != nullptr && i < plan_.num_classes; ++i)
            worked_[i] = {};
    }

    /// An attempt has released its GPUs; ended: its job has ended.
    BURSAR_HD void
    released(const Attempt& attempt, AttemptId slot, bool ended, std::int64_t now_ms) {
        for (std::uint32_t i = 0; i < num_; ++i)
            if (jobs_[i].awaits == slot)
                jobs_[i].awaits = LiveAttempts::none();
        if (!ended)
            return;
        worked_[attempt.job_class].sum_ms += now_ms - attempt.work_begin_ms;
        ++worked_[attempt.job_class].num;
    }

    /// A job starts in a pool. Returns the part of its start-up that it has staged there.
    template <class Recorder>
    BURSAR_HD std::int64_t
    started(JobId job, PoolId pool, std::int64_t now_ms, Recorder& recorder) {
        for (std::uint32_t i = 0; i < num_; ++i) {
            if (jobs_[i].job != job)
                continue;
            const bool is_there = jobs_[i].pool == pool && jobs_[i].awaits == LiveAttempts::none();
            const std::int64_t staged_ms = record(jobs_[i], is_there, now_ms, recorder);
            remove(i);
            return staged_ms;
        }
        return 0;
    }

    /// After the starts of an instant. GPUs are counted, and those that have become free and hold
    /// what was staged are taken last: if `free_slots` of a pool are fewer than these, the last
    /// jobs in order have staged for nothing.
    template <class Recorder>
    BURSAR_HD void
    keep_within(PoolId pool, std::int64_t free_slots, std::int64_t now_ms, Recorder& recorder) {
        std::int64_t ready = 0;
        for (std::uint32_t i = 0; i < num_; ++i)
            ready += is_ready(jobs_[i], pool, now_ms) ? slots_of(jobs_[i].job) : 0;
        for (std::uint32_t i = num_; i-- > 0 && ready > free_slots;) {
            if (!is_ready(jobs_[i], pool, now_ms))
                continue;
            ready -= slots_of(jobs_[i].job);
            record(jobs_[i], false, now_ms, recorder);
            remove(i);
        }
    }

    /// Plans the staging of the next waiting jobs, those of `list` in order: a staging that has
    /// begun goes on, and one of another job is for nothing. Others begin when they would be done
    /// at the predicted start of their job (free_slots(pool), for_each_running(act(attempt, slot,
    /// release_ms)), staged_ms(job): the part that it could stage).
    template <class FreeSlots, class ForEachRunning, class StagedMs, class Recorder>
    BURSAR_HD void plan_next(std::uint32_t num_next,
                             const FreeSlots& free_slots,
                             const ForEachRunning& for_each_running,
                             const StagedMs& staged_ms,
                             std::int64_t now_ms,
                             Recorder& recorder) {
        bool some_are_new = false;
        for (std::uint32_t i = 0; i < num_next; ++i) {
            const StagedJob* own = find(next_jobs_[i].job);
            next_[i] = {now_ms, next_jobs_[i].job};
            if (own != nullptr && own->begin_ms < now_ms)
                next_[i] = *own;
            else
                some_are_new = some_are_new || staged_ms(next_jobs_[i].job) > 0;
        }
        for (std::uint32_t i = 0; i < num_; ++i)
            if (!is_next(jobs_[i].job, num_next))
                record(jobs_[i], false, now_ms, recorder);
        if (some_are_new) {
            for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
                rooms_[pool] = {free_slots(pool), {now_ms, 0, LiveAttempts::none()}, false};
            num_ends_ = 0;
            for_each_running([&](const PredictedEnd& end) { ends_[num_ends_++] = end; });
        }
        num_ = 0;
        for (std::uint32_t i = 0; i < num_next; ++i) {
            StagedJob& own = next_[i];
            const bool has_begun = own.begin_ms < now_ms;
            const std::int64_t takes_ms = staged_ms(own.job);
            const PredictedStart start =
                some_are_new ? predict(next_jobs_[i], own, has_begun) : PredictedStart{};
            if (!has_begun) {
                if (takes_ms == 0 || start.pool == plan_.num_pools)
                    continue;
                const std::int64_t begin_ms = start.time_ms - takes_ms;
                own = {begin_ms > now_ms ? begin_ms : now_ms, own.job, start.pool, start.awaits};
            }
            jobs_[num_++] = own;
        }
    }

    /// The run ends: no job will start where it stages.
    template <class Recorder>
    BURSAR_HD void close(std::int64_t now_ms, Recorder& recorder) {
        for (std::uint32_t i = 0; i < num_; ++i)
            record(jobs_[i], false, now_ms, recorder);
        num_ = 0;
    }

    /// Where plan_next reads the next jobs: as many as PlanStaging::num_jobs.
    [[nodiscard]] BURSAR_HD Candidate& next(std::uint32_t number) { return next_jobs_[number]; }

    /// When a running attempt is believed to end by the mean of its class; horizon_ms: not known.
    /// Its start-up is known, and is shorter the more was staged: the mean is of the time after it.
    [[nodiscard]] BURSAR_HD std::int64_t end_by_class(const Attempt& attempt) const {
        const WorkSum& worked = worked_[attempt.job_class];
        return worked.num == 0 ? horizon_ms : attempt.work_begin_ms + worked.sum_ms / worked.num;
    }

    /// A running attempt that is predicted to release its GPUs.
    struct PredictedEnd {
        std::int64_t time_ms{};
        std::uint32_t job{};
        AttemptId slot{};
        PoolId pool{};
        std::int64_t slots{};

        [[nodiscard]] BURSAR_HD bool is_before(const PredictedEnd& other) const {
            return time_ms != other.time_ms ? time_ms < other.time_ms : job < other.job;
        }
    };

  private:
    /// Time from the begin of work to the release of GPUs.
    struct WorkSum {
        std::int64_t sum_ms{};
        std::int64_t num{};
    };
    /// The GPUs of a pool that no earlier job will take, after the ends up to `last`.
    struct PoolRoom {
        std::int64_t free_slots{};
        PredictedEnd last{};
        bool some_ended{}; ///< `last` is an attempt
    };
    struct PredictedStart {
        PoolId pool{};
        std::int64_t time_ms{};
        AttemptId awaits{LiveAttempts::none()};
    };

    [[nodiscard]] BURSAR_HD std::int64_t slots_of(JobId job) const {
        return plan_.current_shapes[plan_.shape[job]].slots();
    }
    [[nodiscard]] BURSAR_HD bool
    is_ready(const StagedJob& own, PoolId pool, std::int64_t now_ms) const {
        return own.pool == pool && own.begin_ms < now_ms && own.awaits == LiveAttempts::none();
    }
    [[nodiscard]] BURSAR_HD const StagedJob* find(JobId job) const {
        for (std::uint32_t i = 0; i < num_; ++i)
            if (jobs_[i].job == job)
                return jobs_ + i;
        return nullptr;
    }
    [[nodiscard]] BURSAR_HD bool is_next(JobId job, std::uint32_t num_next) const {
        for (std::uint32_t i = 0; i < num_next; ++i)
            if (next_jobs_[i].job == job)
                return true;
        return false;
    }
    BURSAR_HD void remove(std::uint32_t at) {
        for (--num_; at < num_; ++at)
            jobs_[at] = jobs_[at + 1];
    }

    /// Records a staging that ends now. Returns what the job need not wait for.
    template <class Recorder>
    BURSAR_HD std::int64_t
    record(const StagedJob& own, bool is_used, std::int64_t now_ms, Recorder& recorder) const {
        const std::int64_t since_ms = now_ms - own.begin_ms;
        if (since_ms <= 0)
            return 0;
        const std::int64_t all_ms = plan_.classes[plan_.job_class[own.job]].staged.count();
        const std::int64_t staged_ms = since_ms < all_ms ? since_ms : all_ms;
        recorder.staged(own.job, staged_ms, since_ms - staged_ms, is_used);
        return is_used ? staged_ms : 0;
    }

    /// The predicted start of a job behind those before it in order; has_begun: in the pool where
    /// it stages. num_pools: not predicted.
    [[nodiscard]] BURSAR_HD PredictedStart predict(const Candidate& next,
                                                   const StagedJob& own,
                                                   bool has_begun) {
        const JobShape& shape = plan_.current_shapes[next.shape];
        const std::uint32_t order = order_begin(shape, next.job);
        PredictedStart best{PoolId{plan_.num_pools}, horizon_ms};
        PoolRoom room_left;
        for (std::uint32_t i = 0; i < plan_.num_pools; ++i) {
            const PoolId pool{plan_.current_order[order + i]};
            const bool may_start =
                has_begun ? pool == own.pool : (shape.permitted_pools >> pool & 1U) != 0;
            PoolRoom room = rooms_[pool];
            if (!may_start || !waits_in(room, pool, shape.slots()) ||
                room.last.time_ms >= best.time_ms)
                continue;
            best = {pool, room.last.time_ms, room.last.slot};
            room_left = room;
            room_left.free_slots -= shape.slots();
        }
        if (best.pool < plan_.num_pools)
            rooms_[best.pool] = room_left;
        return best;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t order_begin(const JobShape& shape, JobId job) const {
        const std::uint32_t row = plan_.saved_in == nullptr ? 0 : plan_.saved_in[job];
        return shape.order_begin + row * plan_.num_pools;
    }
    /// Waits for ends in a pool until that many slots are free; false: they never are.
    [[nodiscard]] BURSAR_HD bool waits_in(PoolRoom& room, PoolId pool, std::int64_t slots) const {
        while (room.free_slots < slots) {
            const PredictedEnd* first = nullptr;
            for (std::uint32_t i = 0; i < num_ends_; ++i) {
                const PredictedEnd& end = ends_[i];
                if (end.pool == pool && (!room.some_ended || room.last.is_before(end)) &&
                    (first == nullptr || end.is_before(*first)))
                    first = &end;
            }
            if (first == nullptr)
                return false;
            room.free_slots += first->slots;
            room.last = *first;
            room.some_ended = true;
        }
        return true;
    }

    RunPlan plan_;
    StagedJob* jobs_{};      ///< in the order of the queue
    StagedJob* next_{};      ///< used by plan_next
    Candidate* next_jobs_{}; ///< likewise
    WorkSum* worked_{};      ///< by class: of attempts whose jobs have ended
    PredictedEnd* ends_{};   ///< used by plan_next
    PoolRoom* rooms_{};      ///< likewise, by pool
    std::uint32_t num_{};
    std::uint32_t num_ends_{};
};

}} // namespace bursar::sim
