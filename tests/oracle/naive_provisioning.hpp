#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "tests/oracle/naive_cluster.hpp"
#include "tests/oracle/naive_fleet.hpp"
#include "tests/oracle/naive_idle_split.hpp"
#include "tests/oracle/naive_order.hpp"
#include "tests/oracle/naive_rules.hpp"

namespace bursar::oracle {

/// A running job that would move, and its pools in order.
struct Mover {
    std::size_t job{};
    std::vector<std::size_t> pools;
};

/// A job that waits for others to release GPUs of a pool.
struct Served {
    std::size_t job{};
    std::size_t pool{};
};

/// Launches the nodes that waiting jobs need, and ends unneeded ones, after a pass.
///
/// Jobs that wait for GPUs of others need no node, but what is free there is kept for them. Other
/// waiting jobs are served one by one: a head that blocks others first, then the others in the
/// order of the idle split. If the head cannot be served and no job may pass it, no other job is.
/// Jobs take numbers, not places: free GPUs, if they could start there now; otherwise, pool by pool
/// in the broker's order, booting and launchable nodes, for the whole gang or not at all.
class Provisioning {
  public:
    Provisioning(Cluster& cluster, const NaiveRules& rules, NaiveFleet& fleet)
        : cluster_{cluster}, rules_{rules}, fleet_{fleet}, pools_(cluster.pools.size()) {
        if (!fleet.rules.empty())
            next_ms_ = 0;
    }

    /// When a rule launches or ends nodes by time alone.
    [[nodiscard]] std::int64_t next_ms() const { return next_ms_; }
    /// Call after an event that may change demand.
    void note_news() {
        for (NaiveFleet::Tries& pool : fleet_.tries)
            pool.ended_unused = false;
    }

    /// Returns whether usable nodes have ended. head: the waiting job that blocks others, if any.
    /// served: these need no node. movers: running jobs that would move; they come
    /// last.
    bool follow(std::optional<std::size_t> head,
                const std::vector<Served>& served,
                const std::vector<Mover>& movers) {
        if (fleet_.rules.empty())
            return false;
        const std::vector<Room> rooms = what_is_left(head, served, movers).pools;
        next_ms_ = no_time;
        std::set<std::size_t> freed_in;
        bool some_ended = false;
        for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
            if (fleet_.is_fixed(pool))
                continue;
            const FleetRule rule = fleet_.rule_now(pool);
            const Room& room = rooms[pool];
            std::int64_t for_nobody = room.booting;
            while (rule.cancels_boots && for_nobody > 0 && for_nobody + room.empty > rule.warm &&
                   fleet_.num_above_least(pool) > 0) {
                end_last_boot(pool);
                freed_in.insert(pool);
                --for_nobody;
            }
            launch(pool,
                   room.launched + std::max<std::int64_t>(rule.warm - room.empty - for_nobody, 0));
            if (end_idle(pool, std::max<std::int64_t>(room.empty - rule.warm, 0))) {
                freed_in.insert(pool);
                some_ended = true;
            }
        }
        for (const std::size_t pool : freed_in)
            fleet_.note_quota_freed(pool); // whichever pool of a quota was looked at first
        if (!fleet_.quotas.empty() && !freed_in.empty() && followed_again_ms_ != cluster_.now_ms)
            next_ms_ = followed_again_ms_ = cluster_.now_ms;
        return some_ended;
    }

  private:
    /// What is left of one pool: GPUs of nodes that are up, and nodes.
    struct Room {
        std::int64_t free{};
        std::int64_t empty{};
        std::int64_t booting{};
        std::int64_t rest{};  ///< free GPUs of a node that is taken for other jobs
        std::int64_t rests{}; ///< of gangs, that are put on nodes in use
        std::int64_t to_launch{};
        std::int64_t launched{};
    };
    /// And the launchable nodes left under each quota.
    struct Rooms {
        std::vector<Room> pools;
        std::vector<std::int64_t> quotas;
        bool may_launch{};
    };
    struct PoolTimes {
        std::vector<std::int64_t> idle_since_ms; ///< ascending
        std::int64_t launched_ms{-1};
    };

    [[nodiscard]] bool by_count() const { return rules_.capacity == CapacityRule::count; }
    [[nodiscard]] std::int64_t node_of(std::size_t pool) const {
        return cluster_.pools[pool].gpus_per_node;
    }

    [[nodiscard]] std::int64_t num_empty(std::size_t pool) const {
        const FreeGpus& free = cluster_.free[pool];
        if (by_count())
            return free.open() / node_of(pool);
        std::int64_t num = 0;
        for (std::size_t node = 0; node < fleet_.nodes[pool].size(); ++node)
            num += free.free_on(node) == node_of(pool) ? 1 : 0;
        return num;
    }

    [[nodiscard]] Rooms what_is_left(std::optional<std::size_t> head,
                                     const std::vector<Served>& served,
                                     const std::vector<Mover>& movers) const {
        Rooms rooms;
        for (const Quota& quota : fleet_.quotas)
            rooms.quotas.push_back(fleet_.left_of(quota));
        for (std::size_t pool = 0; pool < pools_.size(); ++pool)
            rooms.pools.push_back({cluster_.free[pool].open(),
                                   num_empty(pool),
                                   fleet_.num(pool, NaiveFleet::Is::booting),
                                   0,
                                   0,
                                   !fleet_.is_fixed(pool) && fleet_.rules[pool].follows_queue
                                       ? fleet_.num_to_launch(pool)
                                       : 0,
                                   0});
        for (const Served& one : served)
            if (cluster_.may_use(one.job, one.pool)) // else the pool has shut for it since
                keeps_free(
                    rooms.pools[one.pool], cluster_.requests[one.job].gpus, node_of(one.pool));
        std::vector<std::size_t> waiting = cluster_.jobs_in(Phase::pending);
        if (head) {
            const bool is_served = ask_for(rooms, *head, rules_.pools_for(*head));
            if (!is_served && rules_.backfill == Backfill::none)
                return rooms;
            std::erase(waiting, *head);
        }
        const auto demand_of = [&](std::size_t job) {
            const Request& request = cluster_.requests[job];
            return Demand{request.gpus,
                          cluster_.usable_pools(job),
                          0,
                          request.order_row,
                          request.first_pools(),
                          request.number()};
        };
        std::ranges::stable_sort(waiting, [&](std::size_t a, std::size_t b) {
            return shares_before(cluster_.pools, demand_of(a), demand_of(b));
        });
        for (auto first = waiting.begin(); first != waiting.end();) {
            const auto last = std::find_if(first, waiting.end(), [&](std::size_t job) {
                return shares_before(cluster_.pools, demand_of(*first), demand_of(job));
            });
            for (const std::size_t job : who_asks({first, last}, served))
                ask_for(rooms, job, rules_.pools_for(job));
            first = last;
        }
        for (const Mover& mover : movers)
            ask_for(rooms, mover.job, mover.pools);
        return rooms;
    }

    /// As much as is free of the GPUs of a job.
    void keeps_free(Room& room, std::int64_t gpus, std::int64_t node) const {
        if (by_count() || gpus < node) {
            room.free -= std::min(room.free, gpus);
            room.empty = std::min(room.empty, room.free / node);
            return;
        }
        const std::int64_t nodes = std::min((gpus + node - 1) / node, room.empty);
        room.empty -= nodes;
        room.free -= nodes * node;
    }

    /// Jobs equal except for the region of their saved state: those without saved state first, then
    /// by region. Served jobs are removed from the front.
    [[nodiscard]] std::vector<std::size_t> who_asks(std::vector<std::size_t> alike,
                                                    const std::vector<Served>& served) const {
        std::int64_t num_served = 0;
        for (const Served& one : served)
            num_served += std::ranges::count(alike, one.job);
        std::ranges::stable_sort(alike, {}, [&](std::size_t job) { return rules_.place(job); });
        alike.erase(alike.begin(), alike.begin() + num_served);
        return alike;
    }

    /// Returns whether the job is served.
    bool ask_for(Rooms& rooms, std::size_t job, const std::vector<std::size_t>& in_order) const {
        if (cluster_.pool_in(cluster_.free, job, in_order))
            for (const std::size_t pool : in_order)
                if (cluster_.may_use(job, pool) && takes_free(rooms, job, pool))
                    return true;
        for (const bool may_launch : {false, true}) {
            rooms.may_launch = may_launch;
            for (const std::size_t pool : in_order)
                if (cluster_.may_use(job, pool) && takes_new(rooms, job, pool))
                    return true;
        }
        return false;
    }

    bool takes_free(Rooms& rooms, std::size_t job, std::size_t pool) const {
        if (ends_in_a_part(job, pool))
            return takes_nodes_and_a_part(rooms, job, pool, false);
        Room& room = rooms.pools[pool];
        const std::int64_t gpus = cluster_.requests[job].gpus;
        const std::int64_t node = node_of(pool);
        const std::int64_t nodes = gpus / node;
        const bool takes_nodes = !by_count() && gpus >= node;
        if (takes_nodes ? room.empty < nodes : room.free < gpus)
            return false;
        room.free -= takes_nodes ? nodes * node : gpus;
        room.empty = takes_nodes ? room.empty - nodes : std::min(room.empty, room.free / node);
        return true;
    }

    /// By nodes, a gang larger than a node and no multiple of it.
    [[nodiscard]] bool ends_in_a_part(std::size_t job, std::size_t pool) const {
        const std::int64_t gpus = cluster_.requests[job].gpus;
        return !by_count() && gpus > node_of(pool) && gpus % node_of(pool) > 0;
    }
    /// The part goes on a node in use that has room for it, one part on each such node, unless
    /// other jobs have taken the free GPUs of such nodes. Otherwise, if nodes may boot, on what is
    /// left of a node that was taken before. Otherwise it takes a node, and the larger of what is
    /// left of both is left for others.
    bool
    takes_nodes_and_a_part(Rooms& rooms, std::size_t job, std::size_t pool, bool may_boot) const {
        Room& room = rooms.pools[pool];
        const std::int64_t node = node_of(pool);
        const std::int64_t part = cluster_.requests[job].gpus % node;
        std::int64_t nodes = cluster_.requests[job].gpus / node;
        std::int64_t in_use = 0;
        for (std::size_t i = 0; i < fleet_.nodes[pool].size(); ++i) {
            const std::int64_t free = cluster_.free[pool].free_on(i);
            in_use += free >= part && free < node ? 1 : 0;
        }
        const bool on_used = in_use > room.rests && room.free - room.empty * node >= part;
        const bool on_taken = !on_used && may_boot && room.rest >= part;
        if (!on_used && !on_taken)
            ++nodes;
        const std::int64_t of_empty =
            std::min(room.empty, may_boot && !on_taken ? nodes - 1 : nodes);
        if (of_empty + (may_boot ? room.booting + to_launch(rooms, pool) : 0) < nodes)
            return false;
        if (on_used) {
            ++room.rests;
            room.free -= part;
        } else if (on_taken) {
            room.rest -= part;
        } else {
            room.rest = std::max(room.rest, node - part);
        }
        room.empty -= of_empty;
        room.free -= of_empty * node;
        for (std::int64_t i = of_empty; i < nodes; ++i)
            take_node(rooms, pool);
        return true;
    }

    /// Combined with empty nodes if the gang takes whole nodes, and with free GPUs by count. A gang
    /// that cannot be placed on enough empty nodes takes at least one other.
    bool takes_new(Rooms& rooms, std::size_t job, std::size_t pool) const {
        if (ends_in_a_part(job, pool))
            return takes_nodes_and_a_part(rooms, job, pool, true);
        Room& room = rooms.pools[pool];
        const std::int64_t gpus = cluster_.requests[job].gpus;
        const std::int64_t node = node_of(pool);
        if (!by_count() && gpus < node)
            return room.rest >= gpus ? takes_of_rest(room, gpus) : opens_node(rooms, pool, gpus);
        if (!by_count()) {
            const std::int64_t nodes = gpus / node;
            const std::int64_t of_empty = std::min(room.empty, nodes - 1);
            if (of_empty + room.booting + to_launch(rooms, pool) < nodes)
                return false;
            room.empty -= of_empty;
            room.free -= of_empty * node;
            for (std::int64_t i = of_empty; i < nodes; ++i)
                take_node(rooms, pool);
            return true;
        }
        if (room.free + room.rest + (room.booting + to_launch(rooms, pool)) * node < gpus)
            return false;
        const std::int64_t of_free = std::min(room.free, gpus);
        room.free -= of_free;
        room.empty = std::min(room.empty, room.free / node);
        room.rest -= gpus - of_free;
        for (; room.rest < 0; room.rest += node)
            take_node(rooms, pool);
        return true;
    }
    static bool takes_of_rest(Room& room, std::int64_t gpus) {
        room.rest -= gpus;
        return true;
    }
    bool opens_node(Rooms& rooms, std::size_t pool, std::int64_t gpus) const {
        if (rooms.pools[pool].booting + to_launch(rooms, pool) == 0)
            return false;
        take_node(rooms, pool);
        rooms.pools[pool].rest = node_of(pool) - gpus;
        return true;
    }
    [[nodiscard]] std::int64_t to_launch(const Rooms& rooms, std::size_t pool) const {
        std::int64_t most = rooms.may_launch ? rooms.pools[pool].to_launch : 0;
        for (std::size_t i = 0; i < rooms.quotas.size(); ++i)
            if (fleet_.quotas[i].counts(pool))
                most = std::min(most, rooms.quotas[i]);
        return most;
    }
    void take_node(Rooms& rooms, std::size_t pool) const {
        Room& room = rooms.pools[pool];
        if (room.booting > 0) {
            --room.booting;
            return;
        }
        --room.to_launch;
        ++room.launched;
        for (std::size_t i = 0; i < rooms.quotas.size(); ++i)
            rooms.quotas[i] -= fleet_.quotas[i].counts(pool) ? 1 : 0;
    }

    void end_last_boot(std::size_t pool) {
        std::size_t node = fleet_.nodes[pool].size() - 1;
        while (fleet_.nodes[pool][node].is != NaiveFleet::Is::booting)
            --node;
        fleet_.end(pool, node);
    }

    void launch(std::size_t pool, std::int64_t num_needed) {
        const FleetRule& rule = fleet_.rules[pool];
        PoolTimes& times = pools_[pool];
        const std::int64_t lacking = fleet_.least_now(pool) - fleet_.num_that_stay(pool);
        std::int64_t num =
            std::min(std::max(fleet_.tries[pool].ended_unused ? 0 : num_needed, lacking),
                     fleet_.num_to_launch(pool));
        if (fleet_.tries[pool].not_before_ms > cluster_.now_ms)
            next_ms_ = std::min(next_ms_, fleet_.tries[pool].not_before_ms);
        if (num <= 0)
            return;
        const std::int64_t every = rule.launch_every_ms;
        const std::int64_t now_ms = cluster_.now_ms;
        if (every > 0 && (now_ms % every != 0 || times.launched_ms == now_ms)) {
            next_ms_ = std::min(next_ms_, (now_ms / every + 1) * every);
            return;
        }
        const bool are_too_many = rule.max_launches > 0 && num > rule.max_launches;
        if (are_too_many)
            num = rule.max_launches;
        if (fleet_.tries[pool].fail) {
            fleet_.launch_fails(pool, num);
            next_ms_ = now_ms; // another pool may serve the jobs
            return;
        }
        if (are_too_many)
            next_ms_ = std::min(next_ms_, now_ms + every);
        times.launched_ms = now_ms;
        for (; num > 0; --num)
            fleet_.launch(pool);
    }

    /// Ends as many nodes as were idle for the whole timeout, the last empty ones first.
    bool end_idle(std::size_t pool, std::int64_t num_idle) {
        std::vector<std::int64_t>& since = pools_[pool].idle_since_ms;
        const std::int64_t timeout = fleet_.rule_now(pool).idle_timeout_ms;
        since.resize(static_cast<std::size_t>(std::min(num_idle, fleet_.num_above_least(pool))),
                     cluster_.now_ms);
        bool some_ended = false;
        while (!since.empty() && since.front() + timeout <= cluster_.now_ms) {
            since.erase(since.begin());
            end_last_empty(pool);
            fleet_.tries[pool].ended_unused = some_ended = true;
        }
        if (!since.empty())
            next_ms_ = std::min(next_ms_, since.front() + timeout);
        return some_ended;
    }
    void end_last_empty(std::size_t pool) {
        std::size_t node = fleet_.nodes[pool].size() - 1;
        while (fleet_.nodes[pool][node].is != NaiveFleet::Is::up ||
               (!by_count() && cluster_.free[pool].free_on(node) < node_of(pool)))
            --node;
        fleet_.end(pool, node);
    }

    Cluster& cluster_;
    const NaiveRules& rules_;
    NaiveFleet& fleet_;
    std::vector<PoolTimes> pools_;
    std::int64_t next_ms_{no_time};
    std::int64_t followed_again_ms_{-1};
};

} // namespace bursar::oracle
