#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_easy.hpp"
#include "tests/oracle/naive_moves.hpp"
#include "tests/oracle/naive_order.hpp"
#include "tests/oracle/naive_rules.hpp"
#include "tests/oracle/naive_victims.hpp"

namespace bursar::oracle {

/// Serves waiting jobs in order: a job that fits starts; for others, running ones may be stopped. A
/// job that still does not fit blocks those behind it, or is skipped, or gets EASY's reservation.
class InOrder {
  public:
    InOrder(const Cluster& cluster,
            const NaiveRules& rules,
            NaiveOrder& order,
            NaiveEasy& easy,
            NaiveVictims& victims,
            Moves& moves)
        : cluster_{cluster}, rules_{rules}, order_{order}, easy_{easy}, victims_{victims},
          moves_{moves} {}

    void pass() {
        while (serve()) {
        }
    }
    /// Jobs that wait for their victims to stop, after a pass.
    [[nodiscard]] const std::vector<std::size_t>& claims() const { return claims_; }
    /// A waiting job was dropped: its claim ends, and all claims that the next pass makes again.
    void note_drop(std::size_t job) {
        if (rules_.keeps_claims() && std::erase(claims_, job) > 0)
            order_.use.note(job, -1);
        if (!rules_.keeps_claims())
            claims_.clear();
    }
    /// The pool of such a job.
    [[nodiscard]] std::size_t pool_of(std::size_t job) const { return claimed_pool_.at(job); }

  private:
    /// Starts jobs in order, or makes room for them. A job with victims has a claim on their GPUs:
    /// until it has started, no job behind it starts. Returns whether another round is needed: a
    /// victim has stopped while other jobs wait for theirs.
    bool serve() {
        std::optional<std::vector<FreeGpus>> ahead; // while a job waits for its victims
        std::vector<std::size_t> claims;
        std::vector<std::size_t>
            barred; ///< jobs that could not be served; equal ones cannot either
        bool again = false;
        if (rules_.keeps_claims())
            serve_claims(ahead, claims);
        while (!(rules_.blocks() && !claims.empty())) {
            const auto job = order_.first_where([&](std::size_t other) {
                return std::none_of(
                           barred.begin(),
                           barred.end(),
                           [&](std::size_t one) { return cluster_.are_alike(one, other); }) &&
                       std::find(claims.begin(), claims.end(), other) == claims.end();
            });
            if (!job) {
                easy_.forget();
                break;
            }
            std::optional<std::size_t> pool = pool_in(*job, ahead ? *ahead : cluster_.free);
            if (!pool && !ahead && victims_.are_taken() && victims_.someone_leaves()) {
                ahead = victims_.free_ahead();
                pool = pool_in(*job, *ahead);
            }
            if (!pool && victims_.are_taken() && make_room(*job, claims, ahead, again)) {
                if (!ahead && victims_.someone_leaves())
                    ahead = victims_.free_ahead();
                pool = pool_in(*job, ahead ? *ahead : cluster_.free);
            }
            if (pool && !ahead) {
                moves_.start(*job, *pool, *cluster_.place_in(cluster_.free[*pool], *job));
                easy_.forget();
            } else if (pool) {
                claim(*job, *pool, *ahead, claims);
                easy_.forget();
            } else if (rules_.backfill == Backfill::easy) {
                backfill_behind(*job);
                break;
            } else if (rules_.blocks()) {
                break;
            } else {
                barred.push_back(*job);
                if (claims.empty())
                    ahead.reset();
            }
        }
        claims_ = claims;
        if (!rules_.keeps_claims())
            drop_claims(); // served jobs claim again
        return again;
    }

    /// By value and by share, jobs with claims come first; the order does not put them there.
    void serve_claims(std::optional<std::vector<FreeGpus>>& ahead,
                      std::vector<std::size_t>& claims) {
        drop_claims();
        for (const std::size_t job : claims_) {
            std::optional<std::size_t> pool;
            if (!ahead && (pool = pool_in(job, cluster_.free))) {
                moves_.start(job, *pool, *cluster_.place_in(cluster_.free[*pool], job));
                continue;
            }
            if (!ahead)
                ahead = victims_.free_ahead();
            if ((pool = pool_in(job, *ahead)))
                claim(job, *pool, *ahead, claims);
        }
        if (claims.empty())
            ahead.reset();
    }

    /// A job with a claim counts as holding its GPUs.
    void claim(std::size_t job,
               std::size_t pool,
               std::vector<FreeGpus>& rooms,
               std::vector<std::size_t>& claims) {
        rooms[pool].take(*cluster_.place_in(rooms[pool], job));
        claimed_pool_[job] = pool;
        order_.use.note(job, 1);
        claims.push_back(job);
    }
    void drop_claims() {
        for (const std::size_t job : claims_)
            order_.use.note(job, -1);
    }

    /// Stops the victims of `job`, on the first pool where that helps.
    bool make_room(std::size_t job,
                   const std::vector<std::size_t>& claims,
                   std::optional<std::vector<FreeGpus>>& ahead,
                   bool& again) {
        for (const std::size_t pool : rules_.pools_for(job)) {
            if (!cluster_.may_use(job, pool))
                continue;
            const auto chosen =
                victims_.choose(ahead ? (*ahead)[pool] : cluster_.free[pool], job, pool, claims);
            if (!chosen)
                continue;
            for (const std::size_t victim : *chosen) {
                if (ahead)
                    (*ahead)[pool].give_back(cluster_.jobs[victim].shares);
                if (rules_.limits.grace_ms > 0) {
                    moves_.give_notice(victim, rules_.limits.grace_ms);
                    continue;
                }
                moves_.stop(victim, Cause::preempted, 0);
                again = again || (ahead && cluster_.jobs[victim].phase == Phase::pending);
            }
            return true;
        }
        return false;
    }

    void backfill_behind(std::size_t head) {
        easy_.note_blocked(head);
        std::int64_t open = 0;
        for (const FreeGpus& free : cluster_.free)
            open += free.open();
        if (open == 0) // no GPU is free; promised when one is
            return;
        easy_.promise_to(head);
        for (bool goes_on = true; goes_on;) { // the order changes with every start
            goes_on = false;
            std::vector<bool> tried(cluster_.jobs.size(), false);
            tried[head] = true;
            while (const auto job =
                       order_.first_where([&](std::size_t other) { return !tried[other]; })) {
                tried[*job] = true;
                if (!easy_.start_behind(*job))
                    continue;
                order_.use.note(*job, 1);
                ++moves_.num_decided;
                goes_on = true;
                break;
            }
        }
    }

    [[nodiscard]] std::optional<std::size_t> pool_in(std::size_t job,
                                                     const std::vector<FreeGpus>& room) const {
        return cluster_.pool_in(room, job, rules_.pools_for(job));
    }

    const Cluster& cluster_;
    const NaiveRules& rules_;
    NaiveOrder& order_;
    NaiveEasy& easy_;
    NaiveVictims& victims_;
    Moves& moves_;
    std::vector<std::size_t> claims_;                 ///< jobs that wait for their victims
    std::map<std::size_t, std::size_t> claimed_pool_; ///< by job
};

} // namespace bursar::oracle
