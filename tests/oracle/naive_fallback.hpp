#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_moves.hpp"
#include "tests/oracle/naive_order.hpp"
#include "tests/oracle/naive_rules.hpp"

namespace bursar::oracle {

/// Jobs with a deadline that wait for cheap pools while they can, and use others when they must.
class NaiveFallback {
  public:
    NaiveFallback(Cluster& cluster, const NaiveRules& rules, Moves& moves)
        : cluster_{cluster}, rules_{rules}, moves_{moves}, may_move_(cluster.requests.size()),
          was_late_(cluster.requests.size()), has_fallen_back_(cluster.requests.size()),
          claim_ends_ms_(cluster.requests.size(), never) {}

    /// When a waiting job must fall back, or a running one may move.
    [[nodiscard]] std::int64_t next_ms() const {
        std::int64_t next = no_time;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job) {
            if (!cluster_.requests[job].fallback)
                continue;
            if (cluster_.jobs[job].phase == Phase::pending && !was_late_[job])
                next = std::min(next, late_from(job, as_it_stands(job)));
            if (cluster_.jobs[job].phase == Phase::running && !may_move_[job])
                next = std::min(next, ahead_from(job));
            if (has_claim(job))
                next = std::min(next, claim_ends_ms_[job]);
        }
        return next;
    }

    /// Whether such an instant has come.
    bool follow() {
        bool any = false;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job) {
            if (!cluster_.requests[job].fallback)
                continue;
            const Phase phase = cluster_.jobs[job].phase;
            if (phase == Phase::pending && !was_late_[job] &&
                late_from(job, as_it_stands(job)) <= cluster_.now_ms) {
                was_late_[job] = true;
                any = true;
            }
            const bool may_move = phase == Phase::running && ahead_from(job) <= cluster_.now_ms;
            any = any || (may_move && !may_move_[job]);
            may_move_[job] = may_move;
            if (may_move)
                cluster_.requests[job].permitted_pools = cluster_.requests[job].fallback->early;
        }
        return any;
    }

    /// Sets the pools of waiting jobs. Call before a pass.
    void allow() {
        for (const std::size_t job : cluster_.jobs_in(Phase::pending)) {
            Request& request = cluster_.requests[job];
            if (!request.fallback)
                continue;
            was_late_[job] = late_from(job, as_it_stands(job)) <= cluster_.now_ms;
            may_move_[job] = false;
            request.permitted_pools =
                was_late_[job] ? request.fallback->late : request.fallback->early;
            if (was_late_[job] && !has_fallen_back_[job] && rules_.head == HeadRule::skip)
                claim_ends_ms_[job] = cluster_.now_ms + request.fallback->boot_ms;
            has_fallen_back_[job] = was_late_[job];
        }
        for (const std::size_t job : cluster_.jobs_in(Phase::pending))
            if (has_claim(job))
                cluster_.requests[job].permitted_pools &= ~claimed_before(job);
    }
    /// Lets waiting jobs use all their late pools, to measure demand.
    void allow_claimed() {
        for (const std::size_t job : cluster_.jobs_in(Phase::pending))
            if (has_claim(job))
                cluster_.requests[job].permitted_pools = cluster_.requests[job].fallback->late;
    }

    /// Ends claims after a pass. Returns whether there were any.
    bool end_claims() {
        bool any = false;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job) {
            const bool waits = cluster_.jobs[job].phase == Phase::pending;
            if (claim_ends_ms_[job] == never || (waits && claim_ends_ms_[job] > cluster_.now_ms))
                continue;
            claim_ends_ms_[job] = never;
            any = true;
        }
        if (any) {
            moves_.note_other_pools();
            allow();
        }
        return any;
    }

    /// Call after a pass.
    void forget_who_runs() {
        for (const std::size_t job : cluster_.jobs_in(Phase::running))
            was_late_[job] = has_fallen_back_[job] = false;
    }

    /// Running jobs that would move.
    [[nodiscard]] std::vector<std::size_t> movers() const {
        std::vector<std::size_t> found;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job)
            if (may_move_[job] && cluster_.can_be_stopped(job))
                found.push_back(job);
        return found;
    }

    /// Stops one of them, to move. Returns whether it did.
    bool move_one() {
        if (rules_.blocks() && !cluster_.jobs_in(Phase::pending).empty())
            return false;
        for (const std::size_t job : movers()) {
            const std::int64_t release_ms =
                cluster_.now_ms + cluster_.saving_ms(job, Cause::preempted);
            if (!cluster_.pool_in(cluster_.free, job, rules_.pools_for(job)) ||
                late_from(job, as_it_would_stand(job)) <= release_ms ||
                believed_left(job, as_it_would_stand(job).work_left_ms) <=
                    cluster_.requests[job].recovery_ms)
                continue;
            may_move_[job] = false;
            moves_.stop(job, Cause::preempted, 0);
            allow();
            return true;
        }
        return false;
    }

  private:
    static constexpr std::int64_t never = std::int64_t{1} << 40;

    [[nodiscard]] bool has_claim(std::size_t job) const {
        return claim_ends_ms_[job] != never && cluster_.jobs[job].phase == Phase::pending;
    }
    /// Late pools of jobs whose claims end before that of `job`.
    [[nodiscard]] std::uint64_t claimed_before(std::size_t job) const {
        std::uint64_t claimed = 0;
        for (const std::size_t other : cluster_.jobs_in(Phase::pending))
            if (has_claim(other) && claim_ends_ms_[other] < claim_ends_ms_[job])
                claimed |= cluster_.requests[other].fallback->late;
        return claimed;
    }

    struct Standing {
        std::int64_t restart_ms{};
        std::int64_t work_left_ms{};
    };
    [[nodiscard]] Standing as_it_stands(std::size_t job) const {
        return {cluster_.jobs[job].restart_left, cluster_.jobs[job].work_left_ms};
    }
    /// Its state if it were stopped now.
    [[nodiscard]] Standing as_it_would_stand(std::size_t job) const {
        const Request& request = cluster_.requests[job];
        const JobState& state = cluster_.jobs[job];
        const std::int64_t speed = request.pace_on(state.pool, state.is_slow).speed;
        return {request.recovery_ms,
                state.work_left_ms - cluster_.lasts_if_preempted_ms(job) * speed / full_speed};
    }
    [[nodiscard]] std::int64_t believed_left(std::size_t job, std::int64_t work_left_ms) const {
        const Request& request = cluster_.requests[job];
        return std::max<std::int64_t>(work_left_ms + request.believed_work_ms() - request.work_ms,
                                      0);
    }

    /// When it must fall back: the last instant from which it meets its deadline after one more
    /// lost attempt, or the first at which it is behind its pace.
    [[nodiscard]] std::int64_t late_from(std::size_t job, const Standing& standing) const {
        const Request& request = cluster_.requests[job];
        std::int64_t needed = 0;
        for (std::size_t pool = 0; pool < cluster_.pools.size(); ++pool) {
            if ((request.fallback->late >> pool & 1U) == 0)
                continue;
            const std::int64_t speed = request.worst_pace_on(pool).speed;
            const std::int64_t left = believed_left(job, standing.work_left_ms);
            const std::int64_t work = (left * full_speed + speed - 1) / speed;
            const std::int64_t saving = request.saving_in(work, cluster_.interval_on(job, pool));
            needed = std::max({needed, std::int64_t{1}, standing.restart_ms + work + saving});
        }
        const std::int64_t vain = request.recovery_ms + std::min(request.fallback->loss_ms, needed);
        const std::int64_t last = request.deadline_ms.value() - vain - request.fallback->boot_ms -
                                  needed - request.teardown_ms;
        return rules_.keeps_pace ? std::min(last, behind_from(job, standing)) : last;
    }

    /// Whether the work due by then is done, both as fractions of the whole.
    [[nodiscard]] bool
    has_done_due_work(std::size_t job, __int128 done_ms, std::int64_t by_ms) const {
        const Request& request = cluster_.requests[job];
        const __int128 span = request.deadline_ms.value() - *cluster_.eligible_ms(job);
        return done_ms * span >=
               __int128{request.believed_work_ms()} * (by_ms - *cluster_.eligible_ms(job));
    }
    /// By bisection: due work only grows.
    [[nodiscard]] std::int64_t behind_from(std::size_t job, const Standing& standing) const {
        const Request& request = cluster_.requests[job];
        const std::int64_t done =
            request.believed_work_ms() - believed_left(job, standing.work_left_ms);
        if (request.believed_work_ms() == 0 || done >= request.believed_work_ms())
            return never;
        std::int64_t not_yet = *cluster_.eligible_ms(job);
        std::int64_t behind = never;
        while (behind - not_yet > 1) {
            const std::int64_t middle = not_yet + (behind - not_yet) / 2;
            (has_done_due_work(job, done, middle) ? not_yet : behind) = middle;
        }
        return behind;
    }

    /// When a job that has fallen back is ahead of its pace by two recoveries; never if its work
    /// ends before.
    [[nodiscard]] std::int64_t ahead_from(std::size_t job) const {
        const Request& request = cluster_.requests[job];
        const JobState& state = cluster_.jobs[job];
        const bool lasts = request.gets_saved(Cause::preempted);
        const std::int64_t interval = cluster_.interval_on(job, state.pool);
        if (!rules_.keeps_pace || (request.fallback->late >> state.pool & 1U) == 0 ||
            (!lasts && interval == 0))
            return no_time;
        const std::int64_t begin = state.start_ms + state.restart_left;
        const std::int64_t done =
            request.believed_work_ms() - believed_left(job, state.work_left_ms);
        const std::int64_t margin = 2 * request.recovery_ms + (lasts ? 0 : interval);
        const std::int64_t speed = request.pace_on(state.pool, state.is_slow).speed;
        const auto is_ahead = [&](std::int64_t at_ms) {
            const __int128 now_done = __int128{done} * full_speed + __int128{at_ms - begin} * speed;
            const __int128 span = request.deadline_ms.value() - *cluster_.eligible_ms(job);
            return now_done * span >= __int128{request.believed_work_ms()} *
                                          (at_ms + margin - *cluster_.eligible_ms(job)) *
                                          full_speed;
        };
        for (std::int64_t at_ms = begin; at_ms < cluster_.work_end_ms(job); ++at_ms)
            if (is_ahead(at_ms))
                return at_ms;
        return no_time;
    }

    Cluster& cluster_;
    const NaiveRules& rules_;
    Moves& moves_;
    std::vector<bool> may_move_;
    std::vector<bool> was_late_;
    std::vector<bool> has_fallen_back_;       ///< it waits, and has or had a claim
    std::vector<std::int64_t> claim_ends_ms_; ///< never: it has no claim
};

} // namespace bursar::oracle
