#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// The free nodes, booting nodes and launchable nodes that waiting jobs need.
///
/// Jobs of a shape are added together. They first take free capacity in any pool, if they fit there
/// at all, then booting nodes and launches, pool by pool in the broker's order; whole gangs only.
/// Numbers of nodes and GPUs count, not places: a smaller gang than a node takes any free GPUs, a
/// larger one empty nodes. Its rest, if any, goes on a node in use, one rest on each, or on what an
/// earlier gang has left of its last node, or takes one node more. Cost: shapes of waiting jobs x
/// pools, and nodes launched for gangs with a rest.
class Demand {
  public:
    struct PoolRoom {
        std::int64_t free_slots{};     ///< of nodes that are up
        std::int64_t empty_nodes{};    ///< empty ones among them
        std::int64_t booting_nodes{};  ///< that boot for no job yet
        std::int64_t open_slots{};     ///< left on a node for other jobs
        std::int64_t nodes_for_rest{}; ///< in use, with room for the rest of a gang to add
        std::int64_t num_rests{};      ///< of gangs, put on such nodes
        std::int64_t num_launchable{}; ///< nodes
        std::int64_t num_launched{};   ///< of them: needed by jobs
        bool has_jobs_without_gpus{};  ///< a node was taken for some
    };

    Demand() = default;
    BURSAR_HD Demand(ArenaCarver& carver, const RunPlan& plan, bool counts_only)
        : plan_{plan}, rooms_{carver.take<PoolRoom>(plan.num_pools)},
          quota_rooms_{carver.take<std::int64_t>(plan.num_quotas)}, counts_only_{counts_only} {}

    [[nodiscard]] BURSAR_HD PoolRoom& operator[](PoolId pool) { return rooms_[pool]; }
    /// Nodes that all pools of a quota together may still launch.
    [[nodiscard]] BURSAR_HD std::int64_t& under_quota(std::uint32_t quota) {
        return quota_rooms_[quota];
    }

    /// Whether a gang takes whole nodes of a pool and a part of another, which may be any node.
    [[nodiscard]] BURSAR_HD bool has_rest(const JobShape& shape, PoolId pool) const {
        const std::uint32_t per_node = plan_.pools[pool].gpus_per_node;
        return !counts_only_ && shape.gpus > per_node && shape.gpus % per_node != 0 &&
               shape.required_level + 1U >= plan_.num_levels;
    }

    /// Adds `num_jobs` waiting jobs of a shape. order: the begin of the order of their pools.
    /// fits_now: one of them would fit now. PoolRoom::nodes_for_rest must be that of the shape,
    /// where it has a rest. Returns how many remain for which there is too little.
    BURSAR_HD std::int64_t
    add(const JobShape& shape, std::uint32_t order, std::int64_t num_jobs, bool fits_now) {
        if (shape.slots() == 0) {
            const bool some = num_jobs > 0;
            return some && !take_one_node(shape, order, fits_now) && !fits_now ? num_jobs : 0;
        }
        for (std::uint32_t i = 0; i < plan_.num_pools && num_jobs > 0 && fits_now; ++i) {
            const PoolId pool{plan_.current_order[order + i]};
            if (may_use(shape, pool))
                num_jobs -= is_small(shape, pool)   ? take_free(pool, shape.slots(), num_jobs)
                            : has_rest(shape, pool) ? take_with_rest(pool, shape, num_jobs, false)
                                                    : take_empty(pool, shape, num_jobs);
        }
        may_launch_ = false; // what boots in any pool comes before a launch in another
        num_jobs -= take_new(shape, order, num_jobs);
        may_launch_ = true;
        return num_jobs - take_new(shape, order, num_jobs);
    }

    /// Takes what is free for a job that waits for other jobs to release the rest of its GPUs; none
    /// of a pool that has shut for it since it chose these.
    BURSAR_HD void keep(const JobShape& shape, PoolId pool) {
        if (!may_use(shape, pool))
            return;
        PoolRoom& room = rooms_[pool];
        if (shape.slots() > 0 && is_small(shape, pool)) {
            room.free_slots -= least(shape.slots(), room.free_slots);
            room.empty_nodes = least(room.empty_nodes, room.free_slots / slots_of_node(pool));
            return;
        }
        const std::int64_t nodes = shape.slots() == 0 ? 1 : nodes_of(shape, pool);
        take_empty_nodes(pool, least(nodes, room.empty_nodes));
    }

  private:
    /// How many jobs the booting and launchable nodes are enough for, pool by pool.
    BURSAR_HD std::int64_t
    take_new(const JobShape& shape, std::uint32_t order, std::int64_t num_jobs) {
        std::int64_t num_left = num_jobs;
        for (std::uint32_t i = 0; i < plan_.num_pools && num_left > 0; ++i) {
            const PoolId pool{plan_.current_order[order + i]};
            if (may_use(shape, pool))
                num_left -= counts_only_            ? take_by_count(pool, shape, num_left)
                            : is_small(shape, pool) ? take_parts(pool, shape, num_left)
                            : has_rest(shape, pool) ? take_with_rest(pool, shape, num_left, true)
                                                    : take_nodes(pool, shape, num_left);
        }
        return num_jobs - num_left;
    }
    /// Jobs without GPUs share one node: an empty one if they fit now, otherwise one that boots or
    /// can be launched. If it turns out too small for all, they request another. Returns whether
    /// there is one.
    BURSAR_HD bool take_one_node(const JobShape& shape, std::uint32_t order, bool fits_now) {
        for (const bool may_launch : {false, true}) {
            may_launch_ = may_launch;
            for (std::uint32_t i = 0; i < plan_.num_pools; ++i) {
                const PoolId pool{plan_.current_order[order + i]};
                PoolRoom& room = rooms_[pool];
                if (may_use(shape, pool) && room.has_jobs_without_gpus)
                    return true;
                const std::int64_t num =
                    fits_now ? room.empty_nodes : room.booting_nodes + num_launchable(pool);
                if (!may_use(shape, pool) || num == 0)
                    continue;
                room.has_jobs_without_gpus = true;
                if (fits_now)
                    take_empty_nodes(pool, 1);
                else
                    take_booting(pool, 1);
                return true;
            }
        }
        return false;
    }
    [[nodiscard]] BURSAR_HD static bool may_use(const JobShape& shape, PoolId pool) {
        return (shape.permitted_pools >> pool & 1U) != 0;
    }
    [[nodiscard]] BURSAR_HD std::int64_t slots_of_node(PoolId pool) const {
        return std::int64_t{plan_.pools[pool].gpus_per_node} * slots_per_gpu;
    }
    /// Whether a gang takes any free GPUs of its pool rather than nodes.
    [[nodiscard]] BURSAR_HD bool is_small(const JobShape& shape, PoolId pool) const {
        return counts_only_ || shape.gpus < plan_.pools[pool].gpus_per_node;
    }
    [[nodiscard]] BURSAR_HD std::int64_t nodes_of(const JobShape& shape, PoolId pool) const {
        const std::int64_t per_node = plan_.pools[pool].gpus_per_node;
        return (shape.gpus + per_node - 1) / per_node;
    }
    [[nodiscard]] BURSAR_HD static std::int64_t least(std::int64_t a, std::int64_t b) {
        return a < b ? a : b;
    }

    /// The functions below serve jobs, and return how many.
    BURSAR_HD std::int64_t take_free(PoolId pool, std::int64_t slots, std::int64_t num_jobs) {
        PoolRoom& room = rooms_[pool];
        const std::int64_t num = least(num_jobs, room.free_slots / slots);
        room.free_slots -= num * slots;
        room.empty_nodes = least(room.empty_nodes, room.free_slots / slots_of_node(pool));
        return num;
    }
    BURSAR_HD std::int64_t take_empty(PoolId pool, const JobShape& shape, std::int64_t num_jobs) {
        PoolRoom& room = rooms_[pool];
        const std::int64_t num = least(num_jobs, room.empty_nodes / nodes_of(shape, pool));
        take_empty_nodes(pool, num * nodes_of(shape, pool));
        return num;
    }
    BURSAR_HD void take_empty_nodes(PoolId pool, std::int64_t num) {
        rooms_[pool].empty_nodes -= num;
        rooms_[pool].free_slots -= num * slots_of_node(pool);
    }
    /// Nodes of a pool that may still be launched.
    [[nodiscard]] BURSAR_HD std::int64_t num_launchable(PoolId pool) const {
        std::int64_t num = may_launch_ ? rooms_[pool].num_launchable : 0;
        for (std::uint32_t i = 0; i < plan_.num_quotas; ++i)
            if ((plan_.quotas[i].pools >> pool & 1U) != 0)
                num = least(num, quota_rooms_[i]);
        return num;
    }
    /// Takes booting nodes, and launches the missing ones.
    BURSAR_HD void take_booting(PoolId pool, std::int64_t num) {
        PoolRoom& room = rooms_[pool];
        const std::int64_t missing = num > room.booting_nodes ? num - room.booting_nodes : 0;
        for (std::uint32_t i = 0; i < plan_.num_quotas; ++i)
            if ((plan_.quotas[i].pools >> pool & 1U) != 0)
                quota_rooms_[i] -= missing;
        room.num_launchable -= missing;
        room.num_launched += missing;
        room.booting_nodes -= num - missing;
    }

    /// By count a gang combines free, booting and launched GPUs.
    BURSAR_HD std::int64_t
    take_by_count(PoolId pool, const JobShape& shape, std::int64_t num_jobs) {
        PoolRoom& room = rooms_[pool];
        const std::int64_t slots = shape.slots();
        const std::int64_t node = slots_of_node(pool);
        const std::int64_t there = room.free_slots + room.open_slots;
        const std::int64_t to_come = (room.booting_nodes + num_launchable(pool)) * node;
        const std::int64_t num = least(num_jobs, (there + to_come) / slots);
        const std::int64_t of_free = least(num * slots, room.free_slots);
        room.free_slots -= of_free;
        room.empty_nodes = least(room.empty_nodes, room.free_slots / node);
        room.open_slots -= num * slots - of_free;
        if (room.open_slots < 0) {
            const std::int64_t nodes = (node - 1 - room.open_slots) / node;
            take_booting(pool, nodes);
            room.open_slots += nodes * node;
        }
        return num;
    }
    /// For gangs smaller than a node: booting nodes are filled one after the other.
    BURSAR_HD std::int64_t take_parts(PoolId pool, const JobShape& shape, std::int64_t num_jobs) {
        PoolRoom& room = rooms_[pool];
        const std::int64_t slots = shape.slots();
        const std::int64_t node = slots_of_node(pool);
        const std::int64_t on_node = node / slots;
        const std::int64_t on_open = least(num_jobs, room.open_slots / slots);
        room.open_slots -= on_open * slots;
        const std::int64_t others =
            least(num_jobs - on_open, (room.booting_nodes + num_launchable(pool)) * on_node);
        if (others == 0)
            return on_open;
        const std::int64_t nodes = (others + on_node - 1) / on_node;
        take_booting(pool, nodes);
        room.open_slots = node - (others - (nodes - 1) * on_node) * slots;
        return on_open + others;
    }
    /// For gangs with a rest, one by one. may_boot: nodes that boot or can be launched count, too;
    /// at least one of a gang's is such a node, as in take_nodes.
    BURSAR_HD std::int64_t
    take_with_rest(PoolId pool, const JobShape& shape, std::int64_t num_jobs, bool may_boot) {
        PoolRoom& room = rooms_[pool];
        const std::int64_t node = slots_of_node(pool);
        const std::int64_t rest = shape.slots() % node;
        std::int64_t num = 0;
        for (; num < num_jobs; ++num) {
            // Smaller jobs, added before, may have taken the free GPUs of nodes in use.
            const bool on_used = room.num_rests < room.nodes_for_rest &&
                                 room.free_slots - room.empty_nodes * node >= rest;
            const bool on_open = !on_used && may_boot && room.open_slots >= rest;
            const std::int64_t nodes = shape.slots() / node + (on_used || on_open ? 0 : 1);
            const std::int64_t empty =
                least(room.empty_nodes, may_boot && !on_open ? nodes - 1 : nodes);
            if (empty < nodes &&
                (!may_boot || empty + room.booting_nodes + num_launchable(pool) < nodes))
                return num;
            take_empty_nodes(pool, empty);
            take_booting(pool, nodes - empty);
            room.num_rests += on_used ? 1 : 0;
            room.free_slots -= on_used ? rest : 0;
            if (on_open)
                room.open_slots -= rest;
            else if (!on_used && room.open_slots < node - rest)
                room.open_slots = node - rest;
        }
        return num;
    }
    /// For gangs of a node or more, by node. If empty nodes were enough for one, it would have
    /// taken them before; where it cannot be placed on them, it needs at least one other node.
    BURSAR_HD std::int64_t take_nodes(PoolId pool, const JobShape& shape, std::int64_t num_jobs) {
        PoolRoom& room = rooms_[pool];
        const std::int64_t each = nodes_of(shape, pool);
        const std::int64_t others = room.booting_nodes + num_launchable(pool);
        const std::int64_t num = least(least(num_jobs, others), (room.empty_nodes + others) / each);
        const std::int64_t of_empty = least(num * (each - 1), room.empty_nodes);
        take_empty_nodes(pool, of_empty);
        take_booting(pool, num * each - of_empty);
        return num;
    }

    RunPlan plan_;
    PoolRoom* rooms_{};
    std::int64_t* quota_rooms_{}; ///< by quota
    bool counts_only_{};
    bool may_launch_{};
};

}} // namespace bursar::sim
