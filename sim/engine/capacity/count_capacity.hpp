#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// `capacity: count`: a pool is a number of free slots; nodes, CPU and memory do not matter. An
/// offline node takes its number of GPUs out of the pool, so that running jobs may then hold more
/// than is left.
class CountCapacity {
  public:
    static constexpr CapacityMembers has{};
    static constexpr bool counts_only = true;

    CountCapacity() = default;
    BURSAR_HD CountCapacity(ArenaCarver& carver,
                            const RunPlan& plan,
                            std::uint32_t /*max_live*/,
                            const RunOptions&)
        : plan_{plan}, free_{carver.take<std::int64_t>(plan.num_pools)},
          num_offline_{carver.take<std::uint32_t>(plan.num_pools)},
          first_word_{carver.take<std::uint32_t>(plan.num_pools)} {
        std::uint32_t num_words = 0;
        for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
            if (first_word_ != nullptr)
                first_word_[pool] = num_words;
            num_words += plan.pools[pool].num_nodes / 64 + 1;
        }
        offline_ = carver.take<std::uint64_t>(num_words);
    }

    BURSAR_HD void clear() {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            free_[pool] = plan_.pools[pool].num_gpus() * slots_per_gpu;
            num_offline_[pool] = 0;
            for (std::uint32_t word = 0; word <= plan_.pools[pool].num_nodes / 64; ++word)
                offline_[first_word_[pool] + word] = 0;
        }
        has_cpu_jobs_ = false;
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            has_cpu_jobs_ |= plan_.current_shapes[shape].gpus == 0;
    }

    [[nodiscard]] BURSAR_HD std::int64_t free_slots(PoolId pool) const {
        return free_[pool] > 0 ? free_[pool] : 0;
    }
    /// Free slots; negative: slots that running jobs hold beyond those that are up.
    [[nodiscard]] BURSAR_HD std::int64_t balance(PoolId pool) const { return free_[pool]; }

    /// Whether nothing fits, whatever its shape.
    [[nodiscard]] BURSAR_HD bool is_full() const {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            if (free_[pool] > 0)
                return false;
        }
        return !has_cpu_jobs_;
    }

    [[nodiscard]] BURSAR_HD bool fits(const JobShape& shape) const {
        return pool_for(shape) < plan_.num_pools;
    }
    [[nodiscard]] BURSAR_HD bool fits_on(PoolId pool, const JobShape& shape) const {
        return (shape.permitted_pools >> pool & 1U) != 0 && free_[pool] >= shape.slots();
    }

    /// Hides free slots of a pool from all answers; negative: shows them again.
    BURSAR_HD void hide(PoolId pool, std::int64_t slots) { free_[pool] -= slots; }

    /// Takes the first pool in the broker's order that has room. Precondition: fits(shape).
    BURSAR_HD Grant take(const JobShape& shape, JobId job) {
        return take_on(pool_for(shape), shape, job);
    }
    /// Takes GPUs of one pool. Precondition: fits_on(pool, shape).
    BURSAR_HD Grant take_on(PoolId pool, const JobShape& shape, std::uint32_t /*job*/) {
        assert(pool < plan_.num_pools && fits_on(pool, shape));
        free_[pool] -= shape.slots();
        return {pool, 0, 0};
    }

    BURSAR_HD void release(const Grant& grant, const JobShape& shape) {
        free_[grant.pool] += shape.slots();
        assert(free_[grant.pool] <= slots_up(grant.pool));
    }

    /// Tentatively frees what the gang holds, until reclaim().
    BURSAR_HD void lend(const Grant& grant, const JobShape& shape) {
        free_[grant.pool] += shape.slots();
    }
    /// Undoes lend(). Precondition: slots taken since have been released.
    BURSAR_HD void reclaim(const Grant& grant, const JobShape& shape) {
        free_[grant.pool] -= shape.slots();
    }

    /// A node of a pool goes offline, or comes back.
    BURSAR_HD void set_offline(PoolId pool, std::uint32_t node) {
        assert(!is_offline(pool, node));
        word_of(pool, node) |= bit_of(node);
        ++num_offline_[pool];
        free_[pool] -= slots_of_node(pool);
    }
    BURSAR_HD void set_online(PoolId pool, std::uint32_t node) {
        assert(is_offline(pool, node));
        word_of(pool, node) &= ~bit_of(node);
        --num_offline_[pool];
        free_[pool] += slots_of_node(pool);
    }
    [[nodiscard]] BURSAR_HD bool is_offline(PoolId pool, std::uint32_t node) const {
        return (word_of(pool, node) & bit_of(node)) != 0;
    }
    /// Nodes' worth of free GPUs.
    [[nodiscard]] BURSAR_HD std::uint32_t num_empty(PoolId pool) const {
        return static_cast<std::uint32_t>(free_slots(pool) / slots_of_node(pool));
    }
    /// The last online node if num_empty() > 0; otherwise num_nodes.
    [[nodiscard]] BURSAR_HD std::uint32_t last_empty(PoolId pool) const {
        std::uint32_t last = plan_.pools[pool].num_nodes;
        if (num_empty(pool) == 0)
            return last;
        do
            --last;
        while (is_offline(pool, last));
        return last;
    }
    /// Slots that are neither free nor held.
    [[nodiscard]] BURSAR_HD std::int64_t offline_slots(PoolId pool) const {
        const std::int64_t lost = num_offline_[pool] * slots_of_node(pool);
        return free_[pool] < 0 ? lost + free_[pool] : lost;
    }
    /// Whether a gang would fit if all GPUs that are up were free.
    [[nodiscard]] BURSAR_HD bool fits_when_empty(const JobShape& shape) const {
        return first_pool(plan_, shape, [&](PoolId pool) {
                   return slots_up(pool) >= shape.slots();
               }) < plan_.num_pools;
    }

  private:
    [[nodiscard]] BURSAR_HD std::int64_t slots_of_node(PoolId pool) const {
        return std::int64_t{plan_.pools[pool].gpus_per_node} * slots_per_gpu;
    }
    [[nodiscard]] BURSAR_HD std::int64_t slots_up(PoolId pool) const {
        return (plan_.pools[pool].num_nodes - num_offline_[pool]) * slots_of_node(pool);
    }
    [[nodiscard]] BURSAR_HD std::uint64_t& word_of(PoolId pool, std::uint32_t node) const {
        assert(node < plan_.pools[pool].num_nodes);
        return offline_[first_word_[pool] + node / 64];
    }
    [[nodiscard]] BURSAR_HD static std::uint64_t bit_of(std::uint32_t node) {
        return std::uint64_t{1} << (node % 64);
    }

    [[nodiscard]] BURSAR_HD PoolId pool_for(const JobShape& shape) const {
        return first_pool(plan_, shape, [&](PoolId pool) { return free_[pool] >= shape.slots(); });
    }

    RunPlan plan_;
    std::int64_t* free_{};         ///< slots; negative: more are held than are up
    std::uint32_t* num_offline_{}; ///< nodes, by pool
    std::uint32_t* first_word_{};  ///< of offline_, by pool
    std::uint64_t* offline_{};     ///< a bit per node
    bool has_cpu_jobs_{};          ///< some job requests no GPU
};

}} // namespace bursar::sim
