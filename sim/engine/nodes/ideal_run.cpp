#include "sim/engine/nodes/ideal_run.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "sim/engine/nodes/node_view.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {
namespace {

/// Nodes of the largest group of a pool that a gang may spread over.
std::uint32_t largest_group(const Plan& plan, std::size_t pool, const JobShape& shape) {
    if (shape.required_level + 1U >= plan.num_levels)
        return plan.pools[pool].num_nodes;
    const std::uint32_t* group =
        &plan.node_group[plan.level_begin[pool * plan.num_levels + shape.required_level]];
    std::vector<std::uint32_t> sizes(plan.pools[pool].num_nodes);
    for (std::uint32_t node = 0; node < plan.pools[pool].num_nodes; ++node)
        ++sizes[group[node]];
    return *std::max_element(sizes.begin(), sizes.end());
}

/// The pools that jobs of a shape may ever use and that can hold their gangs.
std::uint64_t usable_pools(const Plan& plan, const JobShape& shape) {
    std::uint64_t permitted = shape.permitted_pools;
    if (shape.fallback != 0)
        permitted |= plan.fallbacks[shape.fallback - 1U].late_pools;
    return permitted & pools_that_hold(plan, shape);
}

/// Time at work on a pool at the best locality level, for `work_ms` of a class's reference work.
std::int64_t best_elapsed_ms(const PlanView& plan,
                             const PlanClass& job_class,
                             std::int64_t work_ms,
                             PoolId pool) {
    std::int64_t fastest = 0;
    for (std::uint32_t level = 0; level < plan.num_levels; ++level)
        fastest = std::max(fastest, plan.speed(job_class.speed_row, pool, level).speed);
    return elapsed_ms(work_ms, fastest);
}

} // namespace

std::uint64_t
pools_that_hold(const Plan& plan, const JobShape& shape, std::span<const std::uint32_t> most) {
    std::uint64_t pools = 0;
    for (std::size_t p = 0; p < plan.pools.size(); ++p) {
        const PlanPool& pool = plan.pools[p];
        const GangPieces gang = pieces_of(shape, pool.gpus_per_node);
        NodeView empty;
        empty.pool = &pool;
        empty.free_gpus = pool.gpus_per_node;
        empty.cpu_milli = pool.cpu_milli;
        empty.memory_mib = pool.memory_mib;
        const std::uint32_t spare =
            plan.provisioning.empty() ? 0 : plan.provisioning[p].spare_nodes;
        std::uint32_t nodes = std::min(largest_group(plan, p, shape), pool.num_nodes - spare);
        if (!most.empty())
            nodes = std::min(nodes, most[p]);
        if (empty.fits(gang.largest()) && gang.count() <= nodes)
            pools |= std::uint64_t{1} << p;
    }
    return pools;
}

std::vector<std::int64_t> ideal_run_times(const Plan& plan) {
    const PlanView view = view_of(plan);
    std::vector<std::optional<std::uint64_t>> usable(plan.shapes.size()); // by shape
    std::vector<std::int64_t> out;
    out.reserve(plan.num_jobs());
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const std::uint16_t number = plan.job_class[job];
        const PlanClass& own = plan.classes[number];
        std::int64_t at_work = std::numeric_limits<std::int64_t>::max();
        if (own.speed_row == 0) // the same wherever it runs
            at_work = view.pattern(number, PoolId{0}).elapsed(plan.work_ms[job]);
        for (PoolId pool{0}; own.speed_row != 0 && pool < view.num_pools; ++pool) {
            std::optional<std::uint64_t>& pools = usable[plan.shape[job]];
            if (!pools)
                pools = usable_pools(plan, plan.shapes[plan.shape[job]]);
            if ((*pools >> pool & 1U) != 0)
                at_work =
                    std::min(at_work,
                             view.pattern(number, pool)
                                 .elapsed(best_elapsed_ms(view, own, plan.work_ms[job], pool)));
        }
        out.push_back(own.startup.count() + at_work + own.teardown.count());
    }
    return out;
}

}} // namespace bursar::sim
