#include <doctest/doctest.h>

#include "models/network/collective.hpp"

#include "tests/models/network/example_trees.hpp"
#include "tests/properties.hpp"

namespace bursar::collective_property_test {
namespace {

/// Any collective over any group of a tree of three levels with every feature a level may have.
struct Call {
    Collective kind{};
    CommGroup group;
    LocalityTree tree;
    ByteVolume volume;
    CollectiveTuning tuning;

    [[nodiscard]] double time() const {
        return collective_time(kind, volume, group, tree, tuning).count();
    }
};

double factor(int min, int max) {
    return drawn::in_range(min, max) / 100.0;
}

Call any_call() {
    Call call{.kind = static_cast<Collective>(drawn::in_range(0, 5)),
              .group = {drawn::in_range<std::int64_t>(1, 200),
                        drawn::one_of<std::int64_t>(1, 2, 4, 8, 16, 32)},
              .tree = test::make_three_levels(),
              .volume = ByteVolume{static_cast<double>(drawn::in_range(0, 1 << 30))},
              .tuning = {.link_efficiency = factor(50, 120), .phase_overlap = factor(0, 101)}};
    for (LinkLevel& level : call.tree.levels) {
        level.startup = Seconds{factor(0, 5000) * 1e-6};
        level.efficiency = factor(50, 101);
        level.pair_loss = factor(0, 50);
        level.low_latency = {.startup = Seconds{factor(0, 3000) * 1e-6},
                             .latency = Seconds{factor(0, 100) * 1e-6},
                             .efficiency = factor(0, 90)};
    }
    call.tree.levels[0].in_network_reduction = drawn::boolean();
    call.tree.levels[0].wiring = static_cast<Wiring>(drawn::in_range(0, 3));
    return call;
}

/// Equal up to rounding, or less.
bool at_most(double value, double limit) {
    return value <= limit * (1 + 1e-12);
}

LinkLevel& any_level(Call& call) {
    return call.tree.levels[drawn::in_range<std::size_t>(0, call.tree.levels.size())];
}

} // namespace

TEST_CASE("more bandwidth is never slower") {
    CHECK(check_property([] {
        const Call slow = any_call();
        Call fast = slow;
        LinkLevel& level = any_level(fast);
        level.bandwidth = level.bandwidth * factor(100, 1000);
        RC_ASSERT(at_most(fast.time(), slow.time()));
    }));
}

TEST_CASE("more bytes are never faster") {
    CHECK(check_property([] {
        const Call small = any_call();
        Call large = small;
        large.volume += ByteVolume{static_cast<double>(drawn::in_range(0, 1 << 30))};
        RC_ASSERT(at_most(small.time(), large.time()));
    }));
}

TEST_CASE("oversubscription and latency are never faster") {
    CHECK(check_property([] {
        const Call free = any_call();
        Call loaded = free;
        LinkLevel& level = any_level(loaded);
        level.bandwidth = level.bandwidth / factor(100, 800);
        level.latency += Seconds{factor(0, 1000) * 1e-6};
        RC_ASSERT(at_most(free.time(), loaded.time()));
    }));
}

TEST_CASE("the terms add up, and only concurrent traffic is hidden") {
    CHECK(check_property([] {
        const Call call = any_call();
        const GroupShape shape = group_shape(call.group, call.tree);
        const CollectiveCost cost = best_collective(call.kind, call.volume, shape, call.tuning);
        RC_ASSERT(cost.total().count() == call.time());
        for (const Seconds term : {cost.latency, cost.intra, cost.inter})
            RC_ASSERT(term >= Seconds{0});
        const Seconds traffic = cost.intra + cost.inter;
        RC_ASSERT(cost.hidden.count() >= -1e-12 * traffic.count());
        RC_ASSERT(cost.hidden <= traffic);
    }));
}

TEST_CASE("the best of more algorithms is no slower") {
    CHECK(check_property([] {
        const Call call = any_call();
        RC_PRE(call.group.size > 1);
        const GroupShape shape = group_shape(call.group, call.tree);
        const double best = call.time();
        for (std::size_t i = 0; i < algorithm_names.size(); ++i) {
            const auto algorithm = static_cast<CollectiveAlgorithm>(i);
            if (!call.tuning.algorithms.offers(algorithm, shape))
                continue;
            const auto cost =
                collective_cost(call.kind, algorithm, call.volume, shape, call.tuning);
            if (cost)
                RC_ASSERT(best <= cost->total().count());
        }
    }));
}

} // namespace bursar::collective_property_test
