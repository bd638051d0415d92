#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_moves.hpp"

namespace bursar::oracle {

/// First come, first served, for all jobs anew at every decision: in order of submission, each gets
/// the pool where it is fastest among those with enough GPUs left, by count; once no pool has
/// enough for a job, those behind it get none. GPUs of jobs that save or clean up are not given,
/// nor are those of a job that a stop now would throw back to its start, or whose GPUs end or close
/// soon: it stays.
/// Then jobs stop that hold others than they got, and those that can be placed start.
class AllocationOfFastest {
  public:
    AllocationOfFastest(const Cluster& cluster, Moves& moves) : cluster_{cluster}, moves_{moves} {}

    void pass() {
        const std::size_t num_jobs = cluster_.jobs.size();
        may_move_.clear();
        for (std::size_t job = 0; job < num_jobs; ++job)
            may_move_.push_back(can_move(job));
        std::vector<std::int64_t> left;
        for (const FreeGpus& free : cluster_.free)
            left.push_back(free.open());
        for (std::size_t job = 0; job < num_jobs; ++job)
            if (may_move(job))
                left[cluster_.jobs[job].pool] += cluster_.requests[job].gpus;
        std::vector<std::optional<std::size_t>> given(num_jobs);
        for (std::size_t job = 0; job < num_jobs; ++job) {
            if (!takes_part(job))
                continue;
            if (!has_room(job, left))
                break;
            given[job] = fastest(job, left);
            if (given[job])
                left[*given[job]] -= cluster_.requests[job].gpus;
        }
        for (std::size_t job = 0; job < num_jobs; ++job)
            if (may_move(job) && given[job] != cluster_.jobs[job].pool)
                moves_.stop(job, Cause::preempted, 0);
        for (std::size_t job = 0; job < num_jobs; ++job) {
            if (!given[job] || cluster_.jobs[job].phase != Phase::pending)
                continue;
            if (auto place = cluster_.place_in(cluster_.free[*given[job]], job))
                moves_.start(job, *given[job], std::move(*place));
        }
    }

  private:
    [[nodiscard]] bool takes_part(std::size_t job) const {
        return cluster_.jobs[job].phase == Phase::pending || may_move(job);
    }
    [[nodiscard]] bool may_move(std::size_t job) const { return may_move_[job]; }
    [[nodiscard]] bool can_move(std::size_t job) const {
        const JobState& state = cluster_.jobs[job];
        return cluster_.can_be_stopped(job) && !cluster_.is_on_leaving(job) &&
               cluster_.lasts_if_preempted_ms(job) *
                       cluster_.requests[job].pace_on(state.pool, state.is_slow).speed >=
                   full_speed;
    }
    [[nodiscard]] bool has_room(std::size_t job, const std::vector<std::int64_t>& left) const {
        for (const std::int64_t gpus : left)
            if (cluster_.requests[job].gpus <= gpus)
                return true;
        return false;
    }
    /// A running job may stay in a pool that it may no longer start in.
    [[nodiscard]] std::optional<std::size_t> fastest(std::size_t job,
                                                     const std::vector<std::int64_t>& left) const {
        std::optional<std::size_t> best;
        for (std::size_t pool = 0; pool < left.size(); ++pool) {
            const bool may_be_there = cluster_.may_use(job, pool) || holds(job, pool);
            if (may_be_there && cluster_.requests[job].gpus <= left[pool] &&
                (!best || speed(job, pool) > speed(job, *best)))
                best = pool;
        }
        return best;
    }
    [[nodiscard]] bool holds(std::size_t job, std::size_t pool) const {
        return may_move(job) && cluster_.jobs[job].pool == pool;
    }
    [[nodiscard]] std::int64_t speed(std::size_t job, std::size_t pool) const {
        const std::vector<Pace>& paces = cluster_.requests[job].paces;
        return paces.empty() ? full_speed : paces[pool].speed;
    }

    const Cluster& cluster_;
    Moves& moves_;
    std::vector<bool> may_move_{}; ///< by job, as the pass begins
};

} // namespace bursar::oracle
