#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/capacity/count_capacity.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::test::count_capacity_test {
namespace {

struct OwnCapacity {
    explicit OwnCapacity(const Plan& plan)
        : block{[&](ArenaCarver& carver) {
              return CountCapacity{carver, RunPlan{view_of(plan)}, 1, RunOptions{}};
          }} {
        block.content.clear();
    }
    CountCapacity& operator*() { return block.content; }
    ArenaBlock<CountCapacity> block;
};

Plan plan_of_two_pools() {
    Plan plan;
    plan.pools = {pool_of(3, 4), pool_of(70, 1)};
    plan.pool_preference = plan.pools_by_name = {1, 0};
    plan.shapes = {{0, 3}, {1, 3}, {4, 1}, {5, 2}, {12, 1}, {70, 2}};
    plan.shapes[1].gpu_slots = 300;
    return plan;
}

} // namespace

TEST_CASE("a count that loses nodes, by hand") {
    const Plan plan = plan_of_two_pools();
    OwnCapacity own{plan};
    CountCapacity& capacity = *own;
    const PoolId pool{0};
    const Grant grant = capacity.take(plan.shapes[4], JobId{0}); // all 12
    capacity.set_offline(pool, 1);
    CHECK(capacity.is_offline(pool, 1));
    CHECK(!capacity.is_offline(pool, 2));
    CHECK(capacity.free_slots(pool) == 0);
    CHECK(capacity.balance(pool) == -4000);   // the job must stop
    CHECK(capacity.offline_slots(pool) == 0); // the job still holds them
    CHECK(!capacity.fits_when_empty(plan.shapes[4]));
    CHECK(capacity.fits_when_empty(plan.shapes[5]));
    capacity.release(grant, plan.shapes[4]);
    CHECK(capacity.free_slots(pool) == 8000);
    CHECK(capacity.offline_slots(pool) == 4000);
    CHECK(!capacity.fits_on(pool, plan.shapes[4]));
    capacity.set_online(pool, 1);
    CHECK(capacity.fits_on(pool, plan.shapes[4]));
    CHECK(capacity.offline_slots(pool) == 0);
}

TEST_CASE("free, held and offline slots of a count add up after any changes") {
    const Plan plan = plan_of_two_pools();
    CHECK(check_property([&] {
        OwnCapacity own{plan};
        CountCapacity& capacity = *own;
        std::vector<std::pair<Grant, std::size_t>> held;
        std::set<std::pair<std::uint32_t, std::uint32_t>> offline;
        for (int step = 0; step < 100; ++step) {
            const PoolId pool{drawn::in_range(0U, 2U)};
            const std::pair<std::uint32_t, std::uint32_t> node{
                pool, drawn::in_range(0U, plan.pools[pool].num_nodes)};
            const auto shape = drawn::in_range<std::size_t>(0, plan.shapes.size());
            if (drawn::boolean()) {
                if (capacity.fits(plan.shapes[shape]))
                    held.emplace_back(capacity.take(plan.shapes[shape], JobId{0}), shape);
            } else if (drawn::boolean() && !held.empty()) {
                capacity.release(held.back().first, plan.shapes[held.back().second]);
                held.pop_back();
            } else if (offline.erase(node) > 0) {
                capacity.set_online(pool, node.second);
            } else {
                offline.insert(node);
                capacity.set_offline(pool, node.second);
            }
            const bool lends = !held.empty() && drawn::boolean();
            if (lends)
                capacity.lend(held[0].first, plan.shapes[held[0].second]);
            std::vector<std::int64_t> up(2);
            std::vector<std::int64_t> free(2);
            for (PoolId of{0}; of < 2; ++of) {
                const PlanPool& spec = plan.pools[of];
                const auto lost = std::ranges::count_if(
                    offline, [&](const auto& down) { return down.first == of; });
                up[of] = (spec.num_gpus() - lost * spec.gpus_per_node) * slots_per_gpu;
                std::int64_t in_use = 0;
                for (std::size_t i = lends ? 1 : 0; i < held.size(); ++i)
                    in_use += held[i].first.pool == of ? plan.shapes[held[i].second].slots() : 0;
                free[of] = up[of] - in_use;
                RC_ASSERT(capacity.balance(of) == free[of]);
                RC_ASSERT(capacity.free_slots(of) == std::max<std::int64_t>(free[of], 0));
                RC_ASSERT(capacity.free_slots(of) + in_use + capacity.offline_slots(of) ==
                          spec.num_gpus() * slots_per_gpu);
            }
            for (const JobShape& asked : plan.shapes) {
                bool fits = false;
                bool fits_empty = false;
                for (std::size_t of = 0; of < 2; ++of) {
                    const bool may = (asked.permitted_pools >> of & 1U) != 0;
                    fits = fits || (may && asked.slots() <= free[of]);
                    fits_empty = fits_empty || (may && asked.slots() <= up[of]);
                }
                RC_ASSERT(capacity.fits(asked) == fits);
                RC_ASSERT(capacity.fits_when_empty(asked) == fits_empty);
            }
            if (lends)
                capacity.reclaim(held[0].first, plan.shapes[held[0].second]);
        }
    }));
}

} // namespace bursar::test::count_capacity_test
