#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_moves.hpp"
#include "tests/oracle/naive_rules.hpp"
#include "tests/oracle/naive_turns.hpp"

namespace bursar::oracle {

/// A job, and the pool whose GPUs it was given.
struct Given {
    std::size_t job{};
    std::size_t pool{};
};

/// The result of distributing all GPUs again.
struct Handout {
    std::vector<std::size_t> victims; ///< in order
    std::vector<Given> winners;       ///< waiting jobs that get GPUs, in order
    std::vector<std::int64_t> left;   ///< by pool: GPUs not given
};

/// Distributes each pool's GPUs by count in order, skipping jobs that do not fit. A job whose work
/// has ended keeps its GPUs; those of a stopped job are available, unless its nodes go with it. By
/// count more may be held than is online until a notice is over; a running job then loses its GPUs
/// only to waiting jobs before it.
inline Handout
hand_out(const Cluster& cluster, const NaiveRules& rules, const std::vector<std::size_t>& order) {
    Handout out;
    for (std::size_t pool = 0; pool < cluster.pools.size(); ++pool) {
        std::int64_t all = cluster.free[pool].total();
        for (const std::size_t job : order) {
            if (!cluster.holds_gpus(job) || cluster.jobs[job].pool != pool)
                continue;
            for (const Share& share : cluster.jobs[job].shares)
                all += cluster.stays_online(job, share) ? share.gpus : 0;
        }
        out.left.push_back(all);
    }
    for (const std::size_t job : order)
        if (cluster.work_has_ended(job))
            out.left[cluster.jobs[job].pool] -= cluster.requests[job].gpus;
    for (const std::size_t job : order) {
        const std::int64_t gpus = cluster.requests[job].gpus;
        if (cluster.can_be_stopped(job)) {
            std::int64_t& of_its_pool = out.left[cluster.jobs[job].pool];
            const bool others_came_first =
                std::ranges::count(out.winners, cluster.jobs[job].pool, &Given::pool) > 0;
            if (gpus <= of_its_pool || !others_came_first)
                of_its_pool -= gpus;
            else
                out.victims.push_back(job);
        } else if (cluster.jobs[job].phase == Phase::pending) {
            for (const std::size_t pool : rules.pools_for(job)) {
                if (!cluster.may_use(job, pool) || gpus > out.left[pool])
                    continue;
                out.left[pool] -= gpus;
                out.winners.push_back({job, pool});
                break;
            }
        }
    }
    return out;
}

/// Distributes all GPUs again. Running jobs without GPUs stop; waiting jobs with GPUs start if they
/// can be placed. One that cannot takes another pool where it can be placed on GPUs that are left;
/// otherwise its GPUs are held for it, and no victim restarts.
class HandoutPass {
  public:
    HandoutPass(Cluster& cluster, const NaiveRules& rules, Turns& turns, Moves& moves)
        : cluster_{cluster}, rules_{rules}, turns_{turns}, moves_{moves} {}

    void pass() {
        promote();
        turns_.note_lists();
        bool goes_on = true;
        while (goes_on) { // a victim may fit into another pool
            kept_.clear();
            const std::vector<std::size_t> order = turns_.in_order();
            Handout handout = hand_out(cluster_, rules_, order);
            for (const std::size_t job : handout.victims)
                moves_.stop(job, Cause::preempted, 0);
            goes_on = !handout.victims.empty();
            for (const Given& given : handout.winners) {
                const auto pool = pool_with_place(given, handout.left);
                if (!pool) {
                    kept_.push_back(given);
                    continue;
                }
                handout.left[given.pool] += cluster_.requests[given.job].gpus;
                handout.left[*pool] -= cluster_.requests[given.job].gpus;
                goes_on =
                    goes_on || *pool != given.pool; // another job may get its first pool's GPUs
                moves_.start(given.job, *pool, *cluster_.place_in(cluster_.free[*pool], given.job));
            }
            turns_.note_pass(order);
        }
    }

    /// Keeps no GPUs for jobs that could not be placed: one of the waiting jobs was dropped.
    void forget_kept() { kept_.clear(); }

    /// GPUs of a pool given to jobs that could not be placed.
    [[nodiscard]] std::int64_t kept_gpus(std::size_t pool) const {
        std::int64_t sum = 0;
        for (const Given& given : kept_)
            sum += given.pool == pool ? cluster_.requests[given.job].gpus : 0;
        return sum;
    }
    [[nodiscard]] bool is_kept_for(std::size_t job) const {
        return std::any_of(
            kept_.begin(), kept_.end(), [&](const Given& given) { return given.job == job; });
    }

  private:
    /// Jobs that have waited too long go to the end of the first queue; their service counts anew.
    void promote() {
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job) {
            const auto at = turns_.promoted_ms(job);
            if (!at || *at > cluster_.now_ms)
                continue;
            JobState& state = cluster_.jobs[job];
            state.held_ms = state.starved_ms = 0;
            state.starves_since_ms.reset();
            turns_.has_been_promoted(job);
        }
    }

    /// The pool in which a job can be placed: that of its GPUs, otherwise the first other one with
    /// as many left.
    [[nodiscard]] std::optional<std::size_t>
    pool_with_place(const Given& given, const std::vector<std::int64_t>& left) const {
        std::vector<std::size_t> choice{given.pool};
        for (const std::size_t pool : rules_.pools_for(given.job))
            if (left[pool] >= cluster_.requests[given.job].gpus)
                choice.push_back(pool);
        return cluster_.pool_in(cluster_.free, given.job, choice);
    }

    Cluster& cluster_;
    const NaiveRules& rules_;
    Turns& turns_;
    Moves& moves_;
    std::vector<Given> kept_; ///< given, but not placed
};

} // namespace bursar::oracle
