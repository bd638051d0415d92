#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/oracle/naive_allocation.hpp"
#include "tests/oracle/naive_broker.hpp"
#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_conservative.hpp"
#include "tests/oracle/naive_easy.hpp"
#include "tests/oracle/naive_fallback.hpp"
#include "tests/oracle/naive_fleet.hpp"
#include "tests/oracle/naive_handout.hpp"
#include "tests/oracle/naive_idle_split.hpp"
#include "tests/oracle/naive_in_order.hpp"
#include "tests/oracle/naive_look_ahead.hpp"
#include "tests/oracle/naive_migration.hpp"
#include "tests/oracle/naive_moves.hpp"
#include "tests/oracle/naive_order.hpp"
#include "tests/oracle/naive_order_changes.hpp"
#include "tests/oracle/naive_provisioning.hpp"
#include "tests/oracle/naive_rules.hpp"
#include "tests/oracle/naive_staging.hpp"
#include "tests/oracle/naive_turns.hpp"
#include "tests/oracle/naive_victims.hpp"
#include "tests/oracle/naive_world_events.hpp"

namespace bursar::oracle {

/// An event-driven scheduler that is slow on purpose: plain vectors, everything sorted and counted
/// again at every event. Written from the published semantics and checked against other simulators
/// (naive_scheduler_test.cpp); it shares no code with the engine.
///
/// An instant is also when the order changes by time alone, if a new head might start then and
/// another event is still to come.
///
/// At one instant: ends, stops at the end of a grace, jobs that fail by their own fault, changes of
/// the world in their order, ends of boots, ends of nodes, arrivals, jobs that are dropped, then
/// one pass. After it jobs move to cheaper pools, one by one with a pass after each; then nodes are
/// launched and ended; if some have ended, another pass. All of it again while the pass starts jobs
/// of zero length.
class NaiveScheduler {
  public:
    NaiveScheduler(std::vector<Request> requests,
                   std::vector<Pool> pools,
                   NaiveRules rules,
                   std::vector<WorldChange> changes = {},
                   std::vector<FleetRule> fleet = {},
                   std::vector<Quota> quotas = {})
        : rules_{std::move(rules)}, cluster_{std::move(requests),
                                             std::move(pools),
                                             rules_.capacity,
                                             rules_.placement,
                                             rules_.restart},
          order_{cluster_, rules_}, turns_{cluster_, rules_, order_}, easy_{cluster_, rules_},
          conservative_{cluster_, rules_, order_}, victims_{cluster_, rules_},
          staging_{cluster_, rules_, order_},
          moves_{cluster_, rules_, order_, turns_, easy_, conservative_, staging_},
          fleet_{std::move(fleet), std::move(quotas), cluster_, moves_},
          world_{std::move(changes), cluster_, rules_, fleet_, moves_},
          provisioning_{cluster_, rules_, fleet_},
          in_order_{cluster_, rules_, order_, easy_, victims_, moves_},
          changes_{cluster_, rules_, order_, in_order_}, handout_{cluster_, rules_, turns_, moves_},
          fastest_{cluster_, moves_, rules_.packing_gain_milli}, by_gain_{cluster_, moves_},
          ahead_{cluster_, rules_, order_, turns_}, broker_{rules_, cluster_.requests},
          fallback_{cluster_, rules_, moves_}, migration_{cluster_, rules_, moves_} {
        if (rules_.pool_preference.empty()) {
            rules_.pool_preference.resize(cluster_.pools.size());
            std::iota(rules_.pool_preference.begin(), rules_.pool_preference.end(), 0U);
        }
    }
    NaiveScheduler(const NaiveScheduler&) = delete; // its parts refer to each other

    /// Runs until no event is left; jobs that then wait are not finished. Throws std::logic_error
    /// if a job is too large for every pool it may use, or the run does not end.
    History run() && {
        for (std::int64_t num_instants = 0;; ++num_instants) {
            const std::int64_t next = next_instant();
            if (next == no_time)
                break;
            if (num_instants == max_instants)
                throw std::logic_error("the run does not end");
            charge(next - cluster_.now_ms);
            bool is_new = standing_changes(next);
            cluster_.now_ms = next;
            order_.use.advance();
            is_new |= end_attempts();
            stop_noticed();
            is_new |= fail_jobs();
            is_new |= world_.follow();
            if (broker_.follow(next)) {
                moves_.note_other_pools();
                is_new = true;
            }
            fleet_.world_is_over = !world_.next_ms() && broker_.next_ms() == no_time;
            world_.follow_nodes();
            if (fallback_.follow()) {
                moves_.note_other_pools();
                is_new = true;
            }
            is_new |= receive_arrivals();
            is_new |= drop_late();
            if (is_new)
                provisioning_.note_news();
            decide();
            if (migration_.looks())
                while (migration_.move_one()) {
                    provisioning_.note_news();
                    decide();
                }
            const std::optional<std::size_t> head = blocking_head();
            if (head != last_head_)
                provisioning_.note_news();
            last_head_ = head;
            fallback_.allow_claimed();
            const bool some_ended = provisioning_.follow(head, served(), movers());
            fallback_.allow();
            if (some_ended)
                decide();
            staging_.plan();
        }
        fleet_.close();
        staging_.close();
        if (!world_.any() && !rules_.follows_prices && !cluster_.jobs_in(Phase::pending).empty())
            throw std::logic_error("a pending job fits no empty pool");
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job)
            if (cluster_.jobs[job].phase < Phase::done)
                cluster_.leave_unfinished(job);
        cluster_.history.end_ms = cluster_.now_ms;
        cluster_.history.num_promised = easy_.num_blocked() + conservative_.num_promised();
        return std::move(cluster_.history);
    }

  private:
    static constexpr std::int64_t max_instants = 20'000;

    [[nodiscard]] std::int64_t next_instant() {
        std::int64_t next = wake_ms_;
        if (rules_.stop == Stop::order)
            next = std::min(next, turns_.next_change());
        if (rules_.quantum_ms == 0 && turns_.next_promotion_ms() != no_time)
            next = std::min(next, std::max(turns_.next_promotion_ms(), cluster_.now_ms));
        bool some_wait = false;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job) {
            const JobState& state = cluster_.jobs[job];
            if (state.phase == Phase::coming)
                next = std::min(next,
                                state.is_submitted ? cluster_.eligible_ms(job).value_or(no_time)
                                                   : cluster_.requests[job].submit_ms);
            if (cluster_.holds_gpus(job))
                next = std::min({next, state.release_ms, migration_.next_ms()});
            next = std::min(next, victims_.next_standing_ms(job).value_or(no_time));
            next = std::min(next, cluster_.fails_ms(job).value_or(no_time));
            some_wait = some_wait || state.phase == Phase::pending;
            if (state.phase == Phase::pending)
                if (const auto last = cluster_.last_start_ms(job))
                    next = std::min(next, std::max(*last + 1, cluster_.now_ms));
        }
        if (world_.is_last_call() && !some_run())
            return no_time;
        if (some_wait || next != no_time) // otherwise the world does not matter
            next = std::min({next,
                             world_.next_ms().value_or(no_time),
                             fleet_.next_due_ms().value_or(no_time),
                             provisioning_.next_ms(),
                             broker_.next_ms(),
                             fallback_.next_ms()});
        if (next != no_time && another_may_start())
            next = changes_.next_ms(next);
        return next;
    }

    /// Whether a job that becomes the head by time alone might start.
    [[nodiscard]] bool another_may_start() const {
        const bool has_room = rules_.stop != Stop::never ||
                              std::any_of(cluster_.free.begin(),
                                          cluster_.free.end(),
                                          [](const FreeGpus& free) { return free.open() > 0; });
        return rules_.head == HeadRule::block && has_room &&
               cluster_.jobs_in(Phase::pending).size() > 1;
    }

    /// Whether an attempt becomes, or ceases to be, a possible victim then.
    [[nodiscard]] bool standing_changes(std::int64_t time_ms) const {
        bool some_do = rules_.stop == Stop::order && turns_.next_change() == time_ms;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job)
            some_do = some_do || victims_.next_standing_ms(job) == time_ms;
        return some_do;
    }

    /// These return whether there were any.
    bool end_attempts() {
        bool any = false;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job) {
            if (!cluster_.holds_gpus(job) || cluster_.jobs[job].release_ms != cluster_.now_ms)
                continue;
            any = true;
            if (cluster_.jobs[job].phase == Phase::stopped)
                moves_.put_back(job);
            else
                moves_.finish(job);
        }
        return any;
    }

    void stop_noticed() {
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job)
            if (cluster_.can_be_stopped(job) && cluster_.jobs[job].notice_ms == cluster_.now_ms)
                moves_.stop(job, Cause::preempted, 0);
    }

    /// Jobs that fail by their own fault, the last job first.
    bool fail_jobs() {
        bool any = false;
        for (std::size_t job = cluster_.jobs.size(); job-- > 0;) {
            if (cluster_.fails_ms(job) != cluster_.now_ms)
                continue;
            any = true;
            moves_.stop(job,
                        Cause::job_failed,
                        cluster_.requests[job].failing->hold_ms[cluster_.jobs[job].pool]);
        }
        return any;
    }

    bool receive_arrivals() {
        bool any = false;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job) {
            JobState& state = cluster_.jobs[job];
            if (state.phase != Phase::coming)
                continue;
            if (cluster_.requests[job].submit_ms == cluster_.now_ms && !state.is_submitted)
                any = state.is_submitted = true;
            if (!state.is_submitted || cluster_.eligible_ms(job) != cluster_.now_ms)
                continue;
            any = true;
            moves_.receive(job);
        }
        return any;
    }

    /// Waiting jobs that can no longer end by their deadline.
    bool drop_late() {
        bool any = false;
        for (const std::size_t job : cluster_.jobs_in(Phase::pending)) {
            const auto last = cluster_.last_start_ms(job);
            if (!last || *last >= cluster_.now_ms)
                continue;
            any = true;
            moves_.drop(job);
            in_order_.note_drop(job);
            handout_.forget_kept();
        }
        return any;
    }

    /// A round without decisions would repeat itself until an event.
    void decide() {
        ahead_.forget();
        const bool is_round = rules_.is_round(cluster_.now_ms);
        const std::int64_t num_before = moves_.num_decided;
        fallback_.allow();
        if (is_round)
            pass();
        const bool some_may_fit = !is_round || rules_.allocates();
        if (some_may_fit && in_order_.claims().empty() && rules_.backfill != Backfill::conservative)
            ahead_.look();
        for (bool moves = true; moves;) {
            const bool ends = fallback_.end_claims();
            moves = ends || fallback_.move_one();
            if (moves && !ends)
                provisioning_.note_news();
            if (moves)
                pass();
        }
        fallback_.forget_who_runs();
        wake_ms_ = no_time;
        if (rules_.quantum_ms == 0)
            return;
        if (rules_.backfill == Backfill::conservative) {
            if (conservative_.wants_round())
                wake_ms_ = rules_.round_from(cluster_.now_ms + 1);
            return;
        }
        const bool only_in_order = rules_.stop == Stop::never && rules_.backfill == Backfill::none;
        const bool may_start =
            only_in_order ? ahead_.num_jobs() > 0 : !cluster_.jobs_in(Phase::pending).empty();
        const bool goes_on =
            moves_.num_decided != num_before ||
            (some_run() && (!rules_.decides_alike() || turns_.next_promotion_ms() != no_time));
        const bool may_move = rules_.allocates() && some_run();
        if ((may_start || may_move) && (!is_round || goes_on))
            wake_ms_ = rules_.round_from(cluster_.now_ms + 1);
    }

    /// Jobs that wait for victims need no node.
    [[nodiscard]] std::vector<Served> served() const {
        std::vector<Served> found;
        if (rules_.keeps_claims())
            for (const std::size_t job : in_order_.claims())
                found.push_back({job, in_order_.pool_of(job)});
        return found;
    }

    /// The first job in order that waits for no victims, if no job behind it may start before it,
    /// except by backfill.
    [[nodiscard]] std::optional<std::size_t> blocking_head() {
        if (rules_.stop == Stop::order || rules_.head == HeadRule::skip ||
            rules_.backfill == Backfill::conservative)
            return std::nullopt;
        const std::vector<Served> apart = served();
        return order_.first_where([&](std::size_t job) {
            return std::ranges::find(apart, job, &Served::job) == apart.end();
        });
    }

    /// At most one of the two is not empty.
    [[nodiscard]] std::vector<Mover> movers() const {
        std::vector<Mover> found = migration_.movers();
        for (const std::size_t job : fallback_.movers())
            found.push_back({job, rules_.pools_for(job)});
        return found;
    }

    [[nodiscard]] bool some_run() const {
        return !cluster_.jobs_in(Phase::running).empty() ||
               !cluster_.jobs_in(Phase::stopped).empty();
    }

    void pass() {
        if (rules_.stop == Stop::order)
            handout_.pass();
        else if (rules_.stop == Stop::fastest)
            fastest_.pass();
        else if (rules_.stop == Stop::deadline)
            by_gain_.pass_by_deadline();
        else if (rules_.stop == Stop::gain)
            by_gain_.pass();
        else if (rules_.backfill == Backfill::conservative)
            conservative_.pass();
        else
            in_order_.pass();
    }

    /// Free GPUs held for certain jobs are idle.gang: all under a blocking head, the promised ones
    /// under EASY and conservative, and those given to a job that cannot be placed. GPUs of jobs
    /// that could start, but wait for the next round or by an allocator's decision, are
    /// idle.latency. The rest is divided by the demand of the other jobs.
    void charge(std::int64_t span_ms) {
        fleet_.charge(span_ms);
        std::vector<std::int64_t> held;
        std::vector<std::int64_t> open;
        const bool all_are_shut =
            std::ranges::none_of(cluster_.pool_is_shut_for, &std::set<Cause>::empty);
        if (all_are_shut)
            ahead_.forget();
        for (std::size_t pool = 0; pool < cluster_.pools.size(); ++pool) {
            const std::int64_t free = cluster_.free[pool].open() - ahead_.gpus(pool);
            held.push_back(all_are_shut ? 0 : std::min(held_gpus(pool), free));
            open.push_back(free - held.back());
        }
        std::vector<Demand> demand;
        for (const std::size_t job : cluster_.jobs_in(Phase::pending)) {
            const Request& request = cluster_.requests[job];
            const bool has_some =
                !all_are_shut &&
                (ahead_.num_jobs() > 0 ? ahead_.contains(job) : handout_.is_kept_for(job));
            if (!has_some)
                demand.push_back({request.gpus,
                                  cluster_.usable_pools(job),
                                  request.gpus,
                                  request.order_row,
                                  request.first_pools(),
                                  request.number()});
        }
        const std::vector<IdleSplit> split =
            split_idle(cluster_.pools, open, demand, rules_.capacity);
        for (std::size_t pool = 0; pool < split.size(); ++pool) {
            IdleSplit& sum = cluster_.history.idle[pool];
            sum.no_demand += split[pool].no_demand * slots_in_gpu * span_ms;
            sum.ineligible += split[pool].ineligible * slots_in_gpu * span_ms;
            sum.fragmented += split[pool].fragmented * slots_in_gpu * span_ms;
            sum.gang += (held[pool] + split[pool].gang) * slots_in_gpu * span_ms;
            sum.latency += ahead_.gpus(pool) * slots_in_gpu * span_ms;
        }
    }

    [[nodiscard]] std::int64_t held_gpus(std::size_t pool) const {
        const std::int64_t free = cluster_.free[pool].open();
        const std::size_t num_pending = cluster_.jobs_in(Phase::pending).size();
        if (num_pending == 0)
            return 0;
        if (ahead_.num_jobs() > 0)
            return rules_.blocks() && num_pending > ahead_.num_jobs() ? free : 0;
        if (rules_.stop == Stop::order)
            return handout_.kept_gpus(pool);
        if (!in_order_.claims().empty())
            return free;
        if (rules_.backfill == Backfill::easy)
            return easy_.held_gpus(pool);
        if (rules_.backfill == Backfill::conservative)
            return conservative_.held_gpus(pool);
        return rules_.blocks() ? free : 0;
    }

    NaiveRules rules_;
    Cluster cluster_;
    NaiveOrder order_;
    Turns turns_;
    NaiveEasy easy_;
    NaiveConservative conservative_;
    NaiveVictims victims_;
    NaiveStaging staging_;
    Moves moves_;
    NaiveFleet fleet_;
    WorldEvents world_;
    Provisioning provisioning_;
    InOrder in_order_;
    OrderChanges changes_;
    HandoutPass handout_;
    AllocationOfFastest fastest_;
    AllocationByGain by_gain_;
    LookAhead ahead_;
    NaiveBroker broker_;
    NaiveFallback fallback_;
    NaiveMigration migration_;
    std::optional<std::size_t> last_head_;
    std::int64_t wake_ms_{no_time}; ///< the next round that must run
};

} // namespace bursar::oracle
