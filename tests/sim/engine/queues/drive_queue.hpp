#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/engine/attempts/carried_jobs.hpp"
#include "sim/engine/attempts/estimated_hold.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/plan/plan.hpp"
#include "sim/team/team.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"

namespace bursar::test {

/// Levels of jobs, few or one for each job, or none.
inline std::vector<std::uint64_t> draw_levels(const Plan& plan) {
    std::vector<std::uint64_t> levels;
    if (drawn::boolean())
        return levels;
    const auto most = drawn::one_of<std::uint64_t>(2, 5, std::uint64_t{1} << 62U);
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        levels.push_back(drawn::in_range<std::uint64_t>(0, most));
    return levels;
}

/// Draws estimates, different speeds and start-up times; or none of these.
inline void draw_lengths(Plan& plan) {
    if (drawn::boolean()) {
        for (const std::int64_t work : plan.work_ms)
            plan.estimate_ms.push_back(drawn::in_range<std::int64_t>(0, 2 * work + 1));
    }
    plan.classes[0].startup = Duration{drawn::in_range(0, 2)};
    if (drawn::boolean())
        give_speeds(plan, [](std::uint32_t) {
            return PlanSpeed{drawn::in_range<std::int64_t>(1, 4) * reference_speed / 2};
        });
}

/// Jobs arrive, start out of order, are stopped, come back and end, as in a run. After each step
/// the queue is compared with a walk over all waiting jobs.
///
/// naive: advance(now), arrived(job), started(job), ended(job), and before(a, b) of two waiting
/// jobs of one level, with their progress in `carried`; ties by submit order.
template <class Queue, class Naive>
class QueueDriver {
  public:
    QueueDriver(const Plan& plan,
                const std::vector<std::uint64_t>& levels,
                CarriedJobs& carried,
                Queue& queue,
                Naive naive)
        : plan_{plan}, levels_{levels}, carried_{carried}, queue_{queue}, naive_{std::move(naive)} {
    }

    void drive(int num_steps) {
        for (int step = 0; step < num_steps; ++step) {
            switch (drawn::in_range(0, 6)) {
            case 0:
                pass_time();
                break;
            case 1:
                arrive();
                break;
            case 2:
                start();
                break;
            case 3:
                end();
                break;
            case 4:
                stop();
                break;
            default:
                take_and_give_back();
                break;
            }
            compare();
        }
    }

  private:
    void pass_time() { move_to(now_ + drawn::in_range<std::int64_t>(0, 9)); }
    void move_to(std::int64_t now) {
        now_ = now;
        if constexpr (Queue::has.released)
            queue_.advance(now_);
        naive_.advance(now_);
    }
    void arrive() {
        if (next_ == plan_.num_jobs())
            return;
        const JobId job{next_++};
        move_to(std::max(now_, plan_.submit_ms[job]));
        queue_.arrive(job);
        naive_.arrived(job);
        pending_.push_back(job);
    }
    /// The first in order of some shapes.
    void start() {
        const std::vector<bool> wanted = draw_shapes();
        const JobId first = first_of(wanted);
        if (first == Candidate::no_job())
            return;
        queue_.start({first, ShapeId{plan_.shape[first]}});
        naive_.started(first);
        std::erase(pending_, first);
        running_.push_back(first);
    }
    /// Like a pass that tentatively starts the first job.
    void take_and_give_back() {
        const JobId first = first_of(draw_shapes());
        if (first == Candidate::no_job())
            return;
        const Candidate job{first, ShapeId{plan_.shape[first]}};
        queue_.start(job);
        naive_.started(first);
        if (drawn::boolean())
            static_cast<void>(queue_.head(OneLane{}));
        queue_.give_back(job, carried_.of(first));
        naive_.ended(first);
        naive_.arrived(first);
    }
    JobId take_running() {
        const std::size_t i = drawn::in_range<std::size_t>(0, running_.size());
        const JobId job = running_[i];
        std::erase(running_, job);
        if constexpr (Queue::has.released)
            queue_.released(TenantId{plan_.tenant[job]}, ShapeId{plan_.shape[job]});
        naive_.ended(job);
        return job;
    }
    void end() {
        if (!running_.empty())
            carried_.drop(take_running());
    }
    void stop() {
        if (running_.empty())
            return;
        const JobId job = take_running();
        Progress& progress = carried_.record_of(job);
        progress.work_left_ms = drawn::in_range<std::int64_t>(0, progress.work_left_ms + 1);
        progress.attained_ms += drawn::in_range<std::int64_t>(0, 9);
        ++progress.num_stopped;
        queue_.come_back({{}, job, ShapeId{plan_.shape[job]}, true}, progress);
        naive_.arrived(job);
        pending_.push_back(job);
    }

    [[nodiscard]] std::vector<bool> draw_shapes() const {
        std::vector<bool> wanted;
        for (std::size_t shape = 0; shape < plan_.shapes.size(); ++shape)
            wanted.push_back(drawn::in_range(0, 3) > 0);
        return wanted;
    }
    [[nodiscard]] bool before(JobId a, JobId b) const {
        if (!levels_.empty() && levels_[a] != levels_[b])
            return levels_[a] < levels_[b];
        return naive_.before(a, b) || (!naive_.before(b, a) && a < b);
    }
    template <class Test>
    [[nodiscard]] JobId first_that(const Test& test) const {
        JobId best = Candidate::no_job();
        for (const JobId job : pending_)
            if (test(job) && (best == Candidate::no_job() || before(job, best)))
                best = job;
        return best;
    }
    [[nodiscard]] JobId first_of(const std::vector<bool>& wanted) const {
        return first_that([&](JobId job) -> bool { return wanted[plan_.shape[job]]; });
    }
    /// The queue's answer.
    template <class Fits>
    [[nodiscard]] Candidate first_where(const Fits& fits) const {
        if constexpr (Queue::has.first_where) {
            return queue_.first_where(OneLane{}, fits);
        } else {
            const auto first = queue_.first_picked(OneLane{}, [&](ShapeId shape, JobId job) {
                return fits(shape) ? job : Candidate::no_job();
            });
            return {first.job, first.shape};
        }
    }
    /// The first short job of some shapes, by a query for each shape.
    void compare_short(const std::vector<bool>& wanted) const {
        const PlanView view = view_of(plan_);
        const PoolId pool{0};
        const auto max_ms = drawn::in_range<std::int64_t>(0, 15);
        const auto picked = queue_.first_picked(OneLane{}, [&](ShapeId shape, JobId first) {
            if constexpr (Queue::has
                              .first_where) // otherwise other jobs of the shape are tested, too
                RC_ASSERT(first ==
                          first_that([&](JobId job) { return shape == plan_.shape[job]; }));
            return wanted[shape] ? queue_.first_within(shape, pool, max_ms, carried_)
                                 : Candidate::no_job();
        });
        const JobId expected = first_that([&](JobId job) {
            return wanted[plan_.shape[job]] &&
                   longest_hold_ms(view, job, carried_.of(job), pool) <= max_ms;
        });
        RC_ASSERT(picked.job == expected);
        if (expected == Candidate::no_job())
            return;
        RC_ASSERT(picked.shape == plan_.shape[expected]);
        const auto first = queue_.first_picked(OneLane{}, [](ShapeId, JobId job) { return job; });
        RC_ASSERT((first < picked) == before(first.job, picked.job)); // as EASY compares the two
    }

    void compare() const {
        RC_ASSERT(queue_.num_jobs() == pending_.size());
        const std::vector<bool> wanted = draw_shapes();
        const Candidate first = first_where([&](ShapeId shape) -> bool { return wanted[shape]; });
        RC_ASSERT(first.job == first_of(wanted));
        if (first.job != Candidate::no_job())
            RC_ASSERT(first.shape == plan_.shape[first.job]);
        if (drawn::boolean())
            compare_short(wanted);
        if (drawn::boolean()) { // not at each step, so that several changes are ranked
                                // at once
            const JobId head = first_of(std::vector<bool>(plan_.shapes.size(), true));
            RC_ASSERT(queue_.head(OneLane{}).job == head);
        }
        for (const JobId a : pending_)
            for (const JobId b : pending_)
                RC_ASSERT((queue_.level_of(a) < queue_.level_of(b)) ==
                          (!levels_.empty() && levels_[a] < levels_[b]));
    }

    const Plan& plan_;
    const std::vector<std::uint64_t>& levels_;
    CarriedJobs& carried_;
    Queue& queue_;
    Naive naive_;
    std::vector<JobId> pending_;
    std::vector<JobId> running_;
    std::uint32_t next_{};
    std::int64_t now_{};
};

} // namespace bursar::test
