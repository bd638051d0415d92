#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_fleet.hpp"
#include "tests/oracle/naive_moves.hpp"
#include "tests/oracle/naive_order.hpp"
#include "tests/oracle/naive_rules.hpp"
#include "tests/oracle/naive_world.hpp"

namespace bursar::oracle {

/// The changes of the world in order, then boots and ends of nodes.
class WorldEvents {
  public:
    WorldEvents(std::vector<WorldChange> changes,
                Cluster& cluster,
                const NaiveRules& rules,
                NaiveFleet& fleet,
                Moves& moves)
        : changes_{std::move(changes)}, cluster_{cluster}, rules_{rules}, fleet_{fleet},
          moves_{moves} {}

    [[nodiscard]] bool any() const { return !changes_.empty() || !fleet_.rules.empty(); }
    [[nodiscard]] std::optional<std::int64_t> next_ms() const {
        return next_ < changes_.size() ? std::optional{changes_[next_].time_ms} : std::nullopt;
    }

    /// Whether no job may start any more.
    [[nodiscard]] bool is_last_call() const { return is_last_call_; }

    /// Applies those of this instant, in order. Returns whether there were any.
    bool follow() {
        const std::size_t before = next_;
        for (; next_ms() == cluster_.now_ms; ++next_)
            apply(changes_[next_]);
        return next_ != before;
    }

    /// Ends boots that are due, then nodes that are due to end, by pool and number.
    void follow_nodes() {
        for (const Is is : {Is::booting, Is::draining})
            for (std::size_t pool = 0; pool < fleet_.nodes.size(); ++pool)
                for (std::size_t node = 0; node < fleet_.nodes[pool].size(); ++node) {
                    const NaiveFleet::Node& one = fleet_.nodes[pool][node];
                    if (one.is != is || one.due_ms != cluster_.now_ms)
                        continue;
                    if (is == Is::booting)
                        fleet_.boot_ended(pool, node);
                    else
                        end_node(pool, node);
                }
    }

  private:
    using Is = NaiveFleet::Is;

    void apply(const WorldChange& change) {
        switch (change.kind) {
        case WorldChange::Kind::stop_job:
            if (cluster_.can_be_stopped(change.job))
                moves_.stop(change.job, change.cause, change.hold_ms);
            return;
        case WorldChange::Kind::node_offline:
            go_offline(change);
            return;
        case WorldChange::Kind::node_closes:
            if (node_of(change).is == Is::up)
                fleet_.close_node(change.pool, change.node);
            return;
        case WorldChange::Kind::node_online:
            if (node_of(change).is == Is::broken && node_of(change).why == change.cause)
                fleet_.repair(change.pool, change.node);
            return;
        case WorldChange::Kind::supply:
            fleet_.supply[change.pool] = static_cast<std::int64_t>(change.node);
            while (fleet_.num_that_stay(change.pool) > fleet_.supply[change.pool])
                take_back(change.pool, first_taken_back(change.pool), change.hold_ms);
            return;
        case WorldChange::Kind::least_nodes:
            fleet_.least[change.pool] = static_cast<std::int64_t>(change.node);
            return;
        case WorldChange::Kind::launches_fail:
        case WorldChange::Kind::launches_work:
            fleet_.tries[change.pool].fail = change.kind == WorldChange::Kind::launches_fail;
            return;
        case WorldChange::Kind::pool_shuts:
        case WorldChange::Kind::pool_opens:
            note(change.cause,
                 change.kind == WorldChange::Kind::pool_shuts,
                 cluster_.pool_is_shut_for[change.pool]);
            moves_.note_other_pools();
            return;
        case WorldChange::Kind::job_barred:
        case WorldChange::Kind::job_let_in:
            note(change.cause,
                 change.kind == WorldChange::Kind::job_barred,
                 cluster_.job_is_barred_for[change.job]);
            moves_.note_other_pools();
            return;
        case WorldChange::Kind::last_call:
            is_last_call_ = true;
            return;
        }
    }

    static void note(Cause cause, bool begins, std::set<Cause>& causes) {
        if (begins)
            causes.insert(cause);
        else
            causes.erase(cause);
    }

    void go_offline(const WorldChange& change) {
        const Is is = node_of(change).is;
        if (is != Is::up && is != Is::closed && is != Is::spare)
            return;
        fleet_.break_down(change.pool, change.node, change.cause);
        if (is != Is::spare)
            stop_work(change.pool, change.node, change.cause, change.hold_ms, std::nullopt);
    }

    [[nodiscard]] const NaiveFleet::Node& node_of(const WorldChange& change) const {
        return fleet_.nodes[change.pool][change.node];
    }

    [[nodiscard]] std::size_t first_taken_back(std::size_t pool) const {
        const auto key = [&](std::size_t node) {
            const NaiveFleet::Node& one = fleet_.nodes[pool][node];
            const auto later = -static_cast<std::int64_t>(node);
            std::int64_t age = 0;
            std::uint64_t lot = 0;
            if (fleet_.rules[pool].takes_back == TakesBack::least_lot)
                lot = fleet_.rules[pool].lot(node, one.num_launches);
            else if (fleet_.rules[pool].takes_back == TakesBack::newest)
                age = -one.launched_ms;
            else
                age = one.launched_ms;
            return std::tuple{lot, age, later};
        };
        std::optional<std::size_t> first;
        for (std::size_t node = 0; node < fleet_.nodes[pool].size(); ++node) {
            const Is is = fleet_.nodes[pool][node].is;
            if (is != Is::off && is != Is::draining && (!first || key(node) < key(*first)))
                first = node;
        }
        return first.value();
    }

    /// Jobs that can save within the notice do so at once.
    void take_back(std::size_t pool, std::size_t node, std::int64_t notice_ms) {
        ++cluster_.history.nodes[pool].reclaims;
        if (fleet_.nodes[pool][node].is == Is::booting) {
            fleet_.end(pool, node);
            return;
        }
        fleet_.drain(pool, node, cluster_.now_ms + notice_ms);
        if (notice_ms > 0)
            stop_work(pool, node, Cause::reclaimed, 0, notice_ms);
    }

    /// Stops the remaining attempts, and ends those that clean up. The node ends as soon as none of
    /// its GPUs are held.
    void end_node(std::size_t pool, std::size_t node) {
        stop_work(pool, node, Cause::reclaimed_unsaved, 0, std::nullopt);
        while (const std::optional<std::size_t> job = cleans_up_in_the_way(pool, node))
            moves_.finish(*job);
        std::optional<std::int64_t> free_ms;
        const bool too_many = cluster_.free[pool].total() < 0;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job) {
            const JobState& state = cluster_.jobs[job];
            if (!cluster_.holds_gpus(job) || state.pool != pool)
                continue;
            if (rules_.capacity == CapacityRule::nodes && cluster_.is_on(job, pool, node))
                free_ms = std::max(free_ms.value_or(0), state.release_ms);
            if (rules_.capacity == CapacityRule::count && too_many && !cluster_.can_be_stopped(job))
                free_ms = std::min(free_ms.value_or(no_time), state.release_ms);
        }
        if (free_ms)
            fleet_.nodes[pool][node].due_ms = free_ms;
        else
            fleet_.end(pool, node);
    }

    /// The youngest job that only cleans up on a node that goes, or, by count, in a pool that has
    /// too few GPUs.
    [[nodiscard]] std::optional<std::size_t> cleans_up_in_the_way(std::size_t pool,
                                                                  std::size_t node) const {
        const bool by_count = rules_.capacity == CapacityRule::count;
        std::optional<std::size_t> found;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job) {
            const bool is_in_the_way = by_count ? cluster_.jobs[job].pool == pool &&
                                                      cluster_.requests[job].gpus > 0 &&
                                                      cluster_.free[pool].total() < 0
                                                : cluster_.is_on(job, pool, node);
            if (is_in_the_way && cluster_.work_has_ended(job) &&
                (!found || cluster_.jobs[job].start_ms >= cluster_.jobs[*found].start_ms))
                found = job;
        }
        return found;
    }

    /// Stops the jobs at work on a node, the last one first; with a notice, only those that can
    /// save within it.
    void stop_work(std::size_t pool,
                   std::size_t node,
                   Cause cause,
                   std::int64_t hold_ms,
                   std::optional<std::int64_t> notice_ms) {
        std::vector<std::size_t> leaving;
        if (rules_.capacity == CapacityRule::count) {
            leaving = cluster_.youngest_too_many(pool);
        } else {
            for (std::size_t job = cluster_.jobs.size(); job-- > 0;)
                if (cluster_.can_be_stopped(job) && cluster_.is_on(job, pool, node))
                    leaving.push_back(job);
        }
        for (const std::size_t job : leaving)
            if (!notice_ms || (cluster_.requests[job].gets_saved(cause) &&
                               cluster_.saving_ms(job, cause) <= *notice_ms))
                moves_.stop(job, cause, hold_ms);
    }
    std::vector<WorldChange> changes_; ///< by time
    std::size_t next_{};
    bool is_last_call_{};
    Cluster& cluster_;
    const NaiveRules& rules_;
    NaiveFleet& fleet_;
    Moves& moves_;
};

} // namespace bursar::oracle
