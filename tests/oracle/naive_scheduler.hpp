#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/oracle/naive_easy.hpp"
#include "tests/oracle/naive_idle_split.hpp"
#include "tests/oracle/naive_rules.hpp"
#include "tests/oracle/naive_turns.hpp"
#include "tests/oracle/naive_world.hpp"

namespace bursar::oracle {

/// An event-driven scheduler that is slow on purpose: plain vectors, everything sorted and counted
/// anew at every event. Written from the published semantics, held against other people's
/// simulators (naive_scheduler_test.cpp); it shares no code with the engine.
///
/// At one instant: ends, jobs falling to their lists, arrivals, then one pass; again for as long as
/// the pass has started jobs of no length.
class NaiveScheduler {
  public:
    NaiveScheduler(std::vector<Request> requests, std::vector<Pool> pools, NaiveRules rules)
        : rules_{std::move(rules)}, world_{std::move(requests),
                                           std::move(pools),
                                           rules_.capacity,
                                           rules_.placement,
                                           rules_.restart},
          turns_{world_, rules_}, easy_{world_, rules_} {
        if (rules_.pool_preference.empty()) {
            rules_.pool_preference.resize(world_.pools.size());
            std::iota(rules_.pool_preference.begin(), rules_.pool_preference.end(), 0U);
        }
    }
    NaiveScheduler(const NaiveScheduler&) = delete; // turns_ looks at its world

    /// Throws std::logic_error when a job is too large for every pool it may use.
    History run() && {
        while (true) {
            const std::int64_t next = next_instant();
            if (next == no_time)
                break;
            charge_idle(next - world_.now_ms);
            world_.now_ms = next;
            end_attempts();
            turns_.note_lists();
            receive_arrivals();
            pass();
        }
        if (!world_.jobs_in(Phase::pending).empty())
            throw std::logic_error("a pending job fits no empty pool");
        world_.history.num_promised = easy_.num_promised();
        return std::move(world_.history);
    }

  private:
    [[nodiscard]] std::int64_t next_instant() const {
        std::int64_t next = no_time;
        for (std::size_t job = 0; job < world_.jobs.size(); ++job) {
            const JobState& state = world_.jobs[job];
            if (state.phase == Phase::coming)
                next = std::min(next, world_.requests[job].submit_ms);
            if (state.phase == Phase::running || state.phase == Phase::saving)
                next = std::min(next, state.release_ms);
        }
        return std::min(next, turns_.next_change());
    }

    void end_attempts() {
        for (std::size_t job = 0; job < world_.jobs.size(); ++job) {
            const JobState& state = world_.jobs[job];
            if (state.release_ms != world_.now_ms)
                continue;
            if (state.phase == Phase::running) {
                easy_.note_end(job);
                world_.finish(job);
            } else if (state.phase == Phase::saving)
                put_back(job);
        }
    }

    void receive_arrivals() {
        for (std::size_t job = 0; job < world_.jobs.size(); ++job) {
            if (world_.jobs[job].phase != Phase::coming ||
                world_.requests[job].submit_ms != world_.now_ms)
                continue;
            world_.jobs[job].phase = Phase::pending;
            world_.jobs[job].pending_since_ms = world_.now_ms;
            turns_.has_come(job);
        }
    }

    void put_back(std::size_t job) {
        world_.put_back(job);
        turns_.has_come_back(job);
    }

    void pass() {
        kept_.clear();
        bool goes_on = true;
        while (goes_on) {
            const std::vector<std::size_t> order = turns_.in_order();
            goes_on = false;
            if (rules_.stop == Stop::order)
                goes_on = hand_out_anew(order); // a victim may have a place in another pool
            else
                start_what_fits(order);
            turns_.note_pass(order);
        }
    }

    bool try_start(std::size_t job) {
        const std::optional<std::size_t> pool = world_.pool_for(job, rules_.pool_preference);
        if (!pool)
            return false;
        world_.start(job, *pool);
        turns_.has_started(job);
        return true;
    }

    [[nodiscard]] std::vector<std::size_t> pending_of(const std::vector<std::size_t>& order) const {
        std::vector<std::size_t> pending;
        for (const std::size_t job : order)
            if (world_.jobs[job].phase == Phase::pending)
                pending.push_back(job);
        return pending;
    }

    void start_what_fits(const std::vector<std::size_t>& order) {
        const std::vector<std::size_t> pending = pending_of(order);
        for (std::size_t at = 0; at < pending.size(); ++at) {
            if (try_start(pending[at]) || rules_.head == HeadRule::skip)
                continue;
            if (rules_.backfill == Backfill::easy)
                backfill_behind(pending, at);
            return;
        }
        easy_.forget();
    }

    void backfill_behind(const std::vector<std::size_t>& pending, std::size_t head) {
        const Promise& promise = easy_.promise_to(pending[head]);
        std::int64_t& promised_ms = world_.history.promised_ms[promise.job];
        if (promised_ms < 0)
            promised_ms = promise.at_ms;
        for (std::size_t at = head + 1; at < pending.size(); ++at) {
            if (const auto pool = easy_.pool_behind(pending[at])) {
                easy_.start_behind(pending[at], *pool);
                turns_.has_started(pending[at]);
            }
        }
    }

    /// Each pool's GPUs are given away by count in order; a job that does not fit is skipped. Who
    /// runs and got none stops; who waits and got some starts where it can be placed. One that
    /// cannot keeps what it got: nobody else has it, and no victim comes back. A job whose work has
    /// ended keeps its GPUs in any case; those of a job that saves its state are given away
    /// already.
    /// True if somebody had to stop.
    bool hand_out_anew(const std::vector<std::size_t>& order) {
        kept_.clear();
        std::vector<std::int64_t> left;
        for (const Pool& pool : world_.pools)
            left.push_back(pool.nodes * pool.gpus_per_node);
        for (const std::size_t job : order)
            if (world_.work_has_ended(job))
                left[world_.jobs[job].pool] -= world_.requests[job].gpus;
        std::vector<std::size_t> victims;
        std::vector<std::pair<std::size_t, std::size_t>> winners; ///< job, pool
        for (const std::size_t job : order) {
            const std::int64_t gpus = world_.requests[job].gpus;
            if (world_.work_has_ended(job))
                continue;
            if (world_.jobs[job].phase == Phase::running) {
                std::int64_t& of_its_pool = left[world_.jobs[job].pool];
                if (gpus <= of_its_pool)
                    of_its_pool -= gpus;
                else
                    victims.push_back(job);
            } else if (world_.jobs[job].phase == Phase::pending) {
                for (const std::size_t pool : rules_.pool_preference) {
                    if ((world_.requests[job].permitted_pools >> pool & 1U) == 0 ||
                        gpus > left[pool])
                        continue;
                    left[pool] -= gpus;
                    winners.emplace_back(job, pool);
                    break;
                }
            }
        }
        for (const std::size_t job : victims) {
            world_.preempt(job);
            if (world_.jobs[job].phase == Phase::pending)
                turns_.has_come_back(job);
        }
        for (const auto& [job, pool] : winners) {
            if (world_.pool_for(job, {pool})) {
                world_.start(job, pool);
                turns_.has_started(job);
            } else {
                kept_.emplace_back(job, pool);
            }
        }
        return !victims.empty();
    }

    /// Free GPUs held for named jobs are gangs being put together: all of them under a blocking
    /// head, the promised ones under EASY, and those that a job was given but cannot be placed on.
    /// What else is free is divided by what is asked for by those who were given nothing.
    void charge_idle(std::int64_t span_ms) {
        std::vector<std::int64_t> held;
        std::vector<std::int64_t> open;
        for (std::size_t pool = 0; pool < world_.pools.size(); ++pool) {
            const std::int64_t free = world_.free[pool].total();
            held.push_back(std::min(held_gpus(pool), free));
            open.push_back(free - held.back());
        }
        std::vector<Demand> demand;
        for (const std::size_t job : world_.jobs_in(Phase::pending)) {
            const Request& request = world_.requests[job];
            if (std::ranges::none_of(kept_, [&](const auto& kept) { return kept.first == job; }))
                demand.push_back({request.gpus, request.permitted_pools, request.gpus});
        }
        const std::vector<IdleSplit> split = split_idle(world_.pools, open, demand);
        for (std::size_t pool = 0; pool < split.size(); ++pool) {
            IdleSplit& sum = world_.history.idle[pool];
            sum.no_demand += split[pool].no_demand * slots_in_gpu * span_ms;
            sum.ineligible += split[pool].ineligible * slots_in_gpu * span_ms;
            sum.fragmented += split[pool].fragmented * slots_in_gpu * span_ms;
            sum.gang += (held[pool] + split[pool].gang) * slots_in_gpu * span_ms;
        }
    }

    [[nodiscard]] std::int64_t held_gpus(std::size_t pool) const {
        if (rules_.stop == Stop::order) {
            std::int64_t sum = 0;
            for (const auto& [job, in_pool] : kept_)
                sum += in_pool == pool ? world_.requests[job].gpus : 0;
            return sum;
        }
        if (rules_.backfill == Backfill::easy)
            return easy_.held_gpus(pool);
        const bool is_blocked =
            rules_.head == HeadRule::block && !world_.jobs_in(Phase::pending).empty();
        return is_blocked ? world_.free[pool].total() : 0;
    }

    NaiveRules rules_;
    World world_;
    Turns turns_;
    NaiveEasy easy_;
    std::vector<std::pair<std::size_t, std::size_t>> kept_; ///< job and pool: given, not placed
};

} // namespace bursar::oracle
