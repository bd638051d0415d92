#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_moves.hpp"
#include "tests/oracle/naive_rules.hpp"
#include "tests/oracle/naive_world.hpp"

namespace bursar::oracle {

/// The changes of the world, one after the other.
class WorldEvents {
  public:
    WorldEvents(std::vector<WorldChange> changes,
                const Cluster& cluster,
                const NaiveRules& rules,
                Moves& moves)
        : changes_{std::move(changes)}, cluster_{cluster}, rules_{rules}, moves_{moves} {}

    [[nodiscard]] bool any() const { return !changes_.empty(); }
    [[nodiscard]] std::optional<std::int64_t> next_ms() const {
        return next_ < changes_.size() ? std::optional{changes_[next_].time_ms} : std::nullopt;
    }

    /// Makes those of this instant happen, in their order.
    void follow() {
        for (; next_ms() == cluster_.now_ms; ++next_) {
            const WorldChange& change = changes_[next_];
            switch (change.kind) {
            case WorldChange::Kind::stop_job:
                if (cluster_.can_be_stopped(change.job))
                    moves_.stop(change.job, change.cause, change.hold_ms);
                break;
            case WorldChange::Kind::node_offline:
                if (!cluster_.free[change.pool].is_offline(change.node))
                    take_offline(change);
                break;
            case WorldChange::Kind::node_online:
                if (cluster_.free[change.pool].is_offline(change.node) &&
                    why_[{change.pool, change.node}] == change.cause)
                    moves_.set_offline(change.pool, change.node, false);
                break;
            }
        }
    }

  private:
    /// What runs on a node is stopped, the last job first.
    void take_offline(const WorldChange& change) {
        why_[{change.pool, change.node}] = change.cause;
        moves_.set_offline(change.pool, change.node, true);
        if (rules_.capacity == CapacityRule::nodes) {
            for (std::size_t job = cluster_.jobs.size(); job-- > 0;)
                if (cluster_.can_be_stopped(job) && is_on(job, change))
                    moves_.stop(job, change.cause, change.hold_ms);
            return;
        }
        while (const auto job = youngest_too_many(change.pool))
            moves_.stop(*job, change.cause, change.hold_ms);
    }
    [[nodiscard]] bool is_on(std::size_t job, const WorldChange& change) const {
        const JobState& state = cluster_.jobs[job];
        return state.pool == change.pool &&
               std::any_of(state.shares.begin(), state.shares.end(), [&](const Share& share) {
                   return share.node == change.node;
               });
    }
    /// By count: who must leave a pool that holds more than is online, once those that leave have.
    [[nodiscard]] std::optional<std::size_t> youngest_too_many(std::size_t pool) const {
        std::int64_t free = cluster_.free[pool].total();
        std::optional<std::size_t> youngest;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job) {
            const JobState& state = cluster_.jobs[job];
            if (!cluster_.holds_gpus(job) || state.pool != pool)
                continue;
            if (state.phase == Phase::stopped)
                free += cluster_.requests[job].gpus;
            else if (cluster_.can_be_stopped(job) &&
                     (!youngest || state.start_ms >= cluster_.jobs[*youngest].start_ms))
                youngest = job;
        }
        return free < 0 ? youngest : std::nullopt;
    }

    std::vector<WorldChange> changes_; ///< by time
    std::size_t next_{};
    std::map<std::pair<std::size_t, std::size_t>, Cause> why_; ///< a node went offline
    const Cluster& cluster_;
    const NaiveRules& rules_;
    Moves& moves_;
};

} // namespace bursar::oracle
