#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/engine/capacity/node_capacity.hpp"
#include "sim/engine/capacity/scored_capacity.hpp"

#include "policies/placement/any_placement.hpp"
#include "policies/placement/registry.hpp"

#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"
#include "tests/sim/engine/nodes/draw_nodes.hpp"
#include "tests/sim/engine/nodes/naive_nodes.hpp"

namespace bursar::test::offline_nodes_test {
namespace {

/// A capacity and a plain list of nodes with the same changes.
template <class Capacity>
class Twins {
  public:
    Twins(const Plan& plan, const PlacementSetting& setting)
        : plan_{plan}, setting_{setting}, block_{[&](ArenaCarver& carver) {
              RunOptions options;
              options.placement = setting;
              return Capacity{carver, RunPlan{view_of(plan)}, 200, options};
          }},
          naive_{plan, setting} {
        capacity().clear();
    }

    void exercise() {
        for (JobId job{0}; job < 16; ++job) {
            start(job);
            if (drawn::boolean())
                release_one();
            turn_a_node();
            lend_some();
            compare();
        }
    }

  private:
    struct Held {
        JobId job{};
        Grant grant;
        NaiveNodes::Placed naive;
    };

    Capacity& capacity() { return block_.content; }
    const JobShape& shape_of(JobId job) const { return plan_.shapes[plan_.shape[job]]; }

    void start(JobId job) {
        const JobShape& shape = shape_of(job);
        const bool fits = capacity().fits(shape);
        const auto placed = naive_.place(shape, job);
        RC_ASSERT(fits == placed.has_value());
        if (!fits)
            return;
        const Grant grant = capacity().take(shape, job);
        RC_ASSERT(grant.pool == placed->pool);
        std::vector<std::uint32_t> nodes; // the last piece comes first
        capacity().for_each_piece(
            grant, [&](std::uint32_t node, std::uint32_t) { nodes.insert(nodes.begin(), node); });
        std::vector<std::uint32_t> expected;
        for (const NaivePiece& piece : placed->pieces)
            expected.push_back(piece.node);
        RC_ASSERT(nodes == expected);
        held_.push_back({job, grant, *placed});
    }

    void release_one() {
        if (held_.empty())
            return;
        const auto which = drawn::in_range<std::size_t>(0, held_.size());
        capacity().release(held_[which].grant, shape_of(held_[which].job));
        naive_.release(held_[which].naive);
        held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(which));
    }

    /// A node is closed or opened, goes offline or comes back.
    void turn_a_node() {
        const PoolId pool{drawn::in_range<std::size_t>(0, naive_.nodes.size())};
        const auto node =
            static_cast<std::uint32_t>(drawn::in_range<std::size_t>(0, naive_.nodes[pool].size()));
        NaiveNodes::Node& own = naive_.nodes[pool][node];
        if (drawn::boolean()) {
            own.is_closed ? capacity().open(pool, node) : capacity().close(pool, node);
            own.is_closed = !own.is_closed;
        } else {
            own.is_offline ? capacity().set_online(pool, node) : capacity().set_offline(pool, node);
            own.is_offline = !own.is_offline;
        }
    }

    /// Lends the nodes of some gangs for a moment.
    void lend_some() {
        std::vector<std::size_t> lent;
        for (std::size_t which = 0; which < held_.size(); ++which) {
            if (drawn::in_range(0, 3) > 0)
                continue;
            lent.push_back(which);
            capacity().lend(held_[which].grant, shape_of(held_[which].job));
            naive_.release(held_[which].naive);
        }
        compare();
        while (!lent.empty()) {
            const auto which = drawn::in_range<std::size_t>(0, lent.size());
            const Held& back = held_[lent[which]];
            capacity().reclaim(back.grant, shape_of(back.job));
            naive_.retake(back.naive);
            lent.erase(lent.begin() + static_cast<std::ptrdiff_t>(which));
        }
    }

    void compare() {
        NaiveNodes empty{plan_, setting_};
        bool is_full = true;
        for (PoolId pool{0}; pool < plan_.pools.size(); ++pool) {
            RC_ASSERT(capacity().free_slots(pool) == naive_.free_slots(pool));
            RC_ASSERT(capacity().offline_slots(pool) == naive_.offline_slots(pool));
            is_full = is_full && naive_.free_slots(pool) == 0;
            for (std::uint32_t node = 0; node < plan_.pools[pool].num_nodes; ++node) {
                const NaiveNodes::Node& own = naive_.nodes[pool][node];
                RC_ASSERT(capacity().is_offline(pool, node) == own.is_offline);
                RC_ASSERT(capacity().free_slots_on(pool, node) ==
                          (own.is_closed || own.is_offline ? 0 : own.slots_left()));
                empty.nodes[pool][node].is_offline = own.is_offline;
            }
        }
        const JobShape& shape = plan_.shapes[drawn::in_range<std::size_t>(0, plan_.shapes.size())];
        const bool fits = naive_.fits(shape);
        RC_ASSERT(capacity().fits(shape) == fits);
        RC_ASSERT(capacity().fits_when_empty(shape) == empty.fits(shape));
        RC_ASSERT(!capacity().is_full() || !fits);
        RC_ASSERT(is_full || !capacity().is_full());
    }

    const Plan& plan_;
    PlacementSetting setting_;
    ArenaBlock<Capacity> block_;
    NaiveNodes naive_;
    std::vector<Held> held_;
};

} // namespace

TEST_CASE("nothing on offline or closed nodes is free, in any order of changes") {
    for (const PolicyInfo& placement : PlacementPolicies::infos("placement")) {
        if (placement.name == "topology") // not supported by the plain list
            continue;
        for (const Wishes& wishes : {Wishes{true, true, false}, Wishes{true, true, true}}) {
            CAPTURE(placement.name);
            CHECK(rc::check(std::string{placement.name}, [&] {
                const Plan plan = draw_plan(wishes);
                Twins<ScoredCapacity<AnyPlacement>>{plan, draw_setting(placement.name)}.exercise();
            }));
        }
    }
}

TEST_CASE("the same if only the number of free GPUs of a node is stored") {
    for (const char* placement : {"first-fit", "consolidated"}) {
        CAPTURE(placement);
        CHECK(check_property(placement, [&] {
            const Plan plan = draw_plan(Wishes{});
            PlacementSetting setting = draw_setting(placement);
            setting.in_any_pool = false;
            Twins<NodeCapacity<AnyPlacement>>{plan, setting}.exercise();
        }));
    }
}

} // namespace bursar::test::offline_nodes_test
