#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_moves.hpp"
#include "tests/oracle/naive_order.hpp"
#include "tests/oracle/naive_provisioning.hpp"
#include "tests/oracle/naive_rules.hpp"

namespace bursar::oracle {

/// Running jobs that move to a pool before theirs in the order, if finishing there is cheaper.
class NaiveMigration {
  public:
    NaiveMigration(Cluster& cluster, const NaiveRules& rules, Moves& moves)
        : cluster_{cluster}, rules_{rules}, moves_{moves}, goes_to_(cluster.requests.size()) {}

    /// The next instant of the period.
    [[nodiscard]] std::int64_t next_ms() const {
        if (!rules_.migrates || rules_.migrate_every_ms == 0)
            return no_time;
        std::int64_t next = 0;
        while (next <= cluster_.now_ms)
            next += rules_.migrate_every_ms;
        return next;
    }

    /// Whether moves are checked now: after a change, or at the period.
    [[nodiscard]] bool looks() {
        const bool has_news = moves_.has_news;
        moves_.has_news = false;
        return rules_.migrates && (has_news || (rules_.migrate_every_ms > 0 &&
                                                cluster_.now_ms % rules_.migrate_every_ms == 0));
    }

    /// Stops the first of them in input order, to move. Returns whether it did.
    bool move_one() {
        if (rules_.blocks() && !cluster_.jobs_in(Phase::pending).empty())
            return false;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job) {
            if (!cluster_.can_be_stopped(job))
                continue;
            const std::optional<std::size_t> to = pool_before(job);
            if (!to || !is_worth_it(job, *to))
                continue;
            goes_to_[job] = *to;
            moves_.stop(job, Cause::migrated, 0);
            return true;
        }
        return false;
    }

    /// Migrating jobs with their pools; then running jobs that would move if there were room, in
    /// input order, with the cheaper pools up to the first with room now.
    [[nodiscard]] std::vector<Mover> movers() const {
        std::vector<Mover> found;
        for (const std::size_t job : cluster_.jobs_in(Phase::stopped))
            if (cluster_.jobs[job].cause == Cause::migrated)
                found.push_back({job, {goes_to_[job]}});
        if (!rules_.migrates || (rules_.blocks() && !cluster_.jobs_in(Phase::pending).empty()))
            return found;
        for (std::size_t job = 0; job < cluster_.jobs.size(); ++job) {
            if (!cluster_.can_be_stopped(job))
                continue;
            Mover mover{job, {}};
            for (const std::size_t pool : pools_before(job)) {
                if (cluster_.may_use(job, pool) && is_worth_it(job, pool))
                    mover.pools.push_back(pool);
                if (has_room(job, pool))
                    break;
            }
            found.push_back(mover);
        }
        return found;
    }

  private:
    /// Work of its attempt at full speed that would survive.
    [[nodiscard]] std::int64_t would_keep(std::size_t job) const {
        const JobState& state = cluster_.jobs[job];
        const Pace pace = cluster_.requests[job].pace_on(state.pool, state.is_slow);
        return cluster_.lasts_if_preempted_ms(job) * pace.speed / full_speed;
    }
    /// NaiveRules::place if it were stopped now.
    [[nodiscard]] std::size_t would_have_saved_in(std::size_t job) const {
        if (rules_.region_of_pool.empty() || would_keep(job) == 0)
            return rules_.place(job);
        return 1 + rules_.region_of_pool[cluster_.jobs[job].pool];
    }

    /// Room beside jobs that are migrating to that pool and still save. These are assumed to take
    /// GPUs of empty nodes if `job` needs whole ones, otherwise any free GPUs.
    [[nodiscard]] bool has_room(std::size_t job, std::size_t pool) const {
        if (!cluster_.may_use(job, pool) || !cluster_.place_in(cluster_.free[pool], job))
            return false;
        std::int64_t spoken_for = 0;
        for (const std::size_t other : cluster_.jobs_in(Phase::stopped))
            if (cluster_.jobs[other].cause == Cause::migrated && goes_to_[other] == pool)
                spoken_for += cluster_.requests[other].gpus;
        const std::int64_t gpus = cluster_.requests[job].gpus;
        const std::int64_t per_node = cluster_.pools[pool].gpus_per_node;
        if (rules_.capacity == CapacityRule::count || gpus < per_node)
            return cluster_.free[pool].open() - spoken_for >= gpus;
        std::int64_t in_empty = 0;
        for (std::int64_t node = 0; node < cluster_.pools[pool].nodes; ++node)
            if (cluster_.free[pool].free_on(static_cast<std::size_t>(node)) == per_node)
                in_empty += per_node;
        return in_empty - spoken_for >= gpus - gpus % per_node;
    }
    /// The pools before its own, in its order.
    [[nodiscard]] std::vector<std::size_t> pools_before(std::size_t job) const {
        std::vector<std::size_t> before = rules_.pools_for(job, would_have_saved_in(job));
        before.erase(std::ranges::find(before, cluster_.jobs[job].pool), before.end());
        return before;
    }
    /// The pool it would take after a stop now; absent: none before its own.
    [[nodiscard]] std::optional<std::size_t> pool_before(std::size_t job) const {
        for (const std::size_t pool : pools_before(job))
            if (has_room(job, pool))
                return pool;
        return std::nullopt;
    }

    [[nodiscard]] __int128 rate_of(std::size_t pool) const {
        const PoolPrice& price = rules_.prices[pool];
        std::int64_t rate = price.steps.front().second;
        for (const auto& [from_ms, step] : price.steps)
            rate = from_ms <= cluster_.now_ms ? step : rate;
        return price.is_paid_anyway() ? 0 : rate;
    }
    /// Including the expected time lost to interruptions.
    [[nodiscard]] std::int64_t
    expected_ms(std::size_t job, std::size_t pool, std::int64_t ms) const {
        if (rules_.risk_stretch.empty())
            return ms;
        const std::int64_t parts = rules_.risk_stretch[rules_.kind_of_job[job]][pool];
        const __int128 longer = __int128{ms} * parts / rules_.risk_parts;
        return longer < forever ? static_cast<std::int64_t>(longer) : forever;
    }
    [[nodiscard]] std::int64_t needed_there(std::size_t job, std::size_t pool) const {
        const Request& request = cluster_.requests[job];
        const std::int64_t done = request.work_ms - cluster_.jobs[job].work_left_ms;
        const std::int64_t left =
            std::max<std::int64_t>(request.believed_work_ms() - done - would_keep(job), 0);
        const std::int64_t speed = request.worst_pace_on(pool).speed;
        const std::int64_t work = (left * full_speed + speed - 1) / speed;
        return std::max<std::int64_t>(request.recovery_ms + work +
                                          request.saving_in(work, cluster_.interval_on(job, pool)),
                                      1);
    }

    /// Costs per GPU; multiplied by the gang's GPUs where a cost is per job.
    [[nodiscard]] bool is_worth_it(std::size_t job, std::size_t to) const {
        const Request& request = cluster_.requests[job];
        const JobState& state = cluster_.jobs[job];
        const std::int64_t to_end =
            std::max<std::int64_t>(state.start_ms + state.needed_at_start_ms - cluster_.now_ms, 1);
        const __int128 stays =
            rate_of(state.pool) * expected_ms(job, state.pool, to_end) * request.gpus;
        const __int128 saves =
            rate_of(state.pool) * cluster_.saving_ms(job, Cause::migrated) * request.gpus;
        const __int128 goes_on =
            rate_of(to) * expected_ms(job, to, needed_there(job, to)) * request.gpus;
        const std::size_t place = would_have_saved_in(job);
        const bool is_far = place > 0 && place != 1 + rules_.region_of_pool[to];
        const __int128 brings = is_far ? __int128{request.egress} * ms_in_hour : 0;
        return stays * 1000 > (saves + goes_on + brings) * (1000 + rules_.migrate_margin_milli);
    }

    static constexpr std::int64_t forever = std::int64_t{1} << 40;
    static constexpr std::int64_t ms_in_hour = 3'600'000;

    Cluster& cluster_;
    const NaiveRules& rules_;
    Moves& moves_;
    std::vector<std::size_t> goes_to_; ///< by migrating job
};

} // namespace bursar::oracle
