#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/network/collective.hpp"

#include "tests/models/network/example_trees.hpp"

namespace bursar::collective_test {
namespace {

/// Relative error even for microseconds: Approx alone accepts 12 us.
doctest::Approx relative(double expected) {
    return doctest::Approx(expected).scale(0);
}

using Algorithm = CollectiveAlgorithm;

constexpr ByteVolume gigabyte{1e9};

double seconds(Collective kind,
               Algorithm algorithm,
               ByteVolume volume,
               CommGroup group,
               const LocalityTree& tree,
               double overlap = 0.4) {
    CollectiveTuning tuning{.phase_overlap = overlap};
    const auto cost = collective_cost(kind, algorithm, volume, group_shape(group, tree), tuning);
    REQUIRE(cost.has_value());
    return cost->total().count();
}

LocalityTree switch_that_adds() {
    LocalityTree tree{{test::ideal_level(8, 450e9)}};
    tree.levels[0].in_network_reduction = true;
    tree.levels[0].reduction = {.startup = Seconds{90e-6}, .efficiency = 0.68, .ranks = 5};
    return tree;
}

} // namespace

TEST_CASE("bus bandwidth is 1.75 times the algorithm bandwidth of 8 GPUs (FORMULAS 9.4)") {
    CHECK(bus_factor(Collective::all_reduce, 8) == 1.75);
    CHECK(bus_factor(Collective::reduce_scatter, 8) == 0.875);
    CHECK(bus_factor(Collective::all_gather, 8) == 0.875);
    CHECK(bus_factor(Collective::all_to_all, 8) == 0.875);
    CHECK(bus_factor(Collective::broadcast, 8) == 1);
}

TEST_CASE("gradients of 7B parameters over 8 GPUs (FORMULAS 9.6)") {
    for (const auto& [rate, expected] : {std::pair{300e9, 0.163}, std::pair{235e9, 0.209}}) {
        const LocalityTree tree{{test::ideal_level(8, rate)}};
        CHECK(seconds(Collective::all_reduce, Algorithm::ring, ByteVolume{28e9}, {8, 1}, tree) ==
              relative(expected).epsilon(0.003));
        CHECK(collective_time(Collective::all_reduce, ByteVolume{28e9}, {8, 1}, tree, {}).count() ==
              relative(expected).epsilon(0.003));
    }
}

TEST_CASE("one level: the textbook forms") {
    const LocalityTree tree = test::two_levels();
    const auto time = [&](Collective kind, Algorithm algorithm) {
        return seconds(kind, algorithm, gigabyte, {8, 1}, tree);
    };
    const double share = 1e9 / 300e9 / 8;
    CHECK(time(Collective::all_reduce, Algorithm::ring) == relative(14e-6 + 14 * share));
    CHECK(time(Collective::all_gather, Algorithm::ring) == relative(7e-6 + 7 * share));
    CHECK(time(Collective::broadcast, Algorithm::ring) == relative(7e-6 + 8 * share));
    CHECK(time(Collective::all_reduce, Algorithm::tree) == relative(14e-6 + 16 * share));
    CHECK(time(Collective::all_reduce, Algorithm::halving_doubling) == relative(6e-6 + 14 * share));
    CHECK(time(Collective::all_to_all, Algorithm::direct) == relative(7e-6 + 7 * share));
}

TEST_CASE("between nodes a tree takes a logarithm of hops") {
    // 16 nodes, one rank in each: 2 x log2(16) hops of 10 us, the buffer twice at 25 GB/s.
    CHECK(seconds(Collective::all_reduce, Algorithm::tree, gigabyte, {16, 8}, test::two_levels()) ==
          relative(80e-6 + 2e9 / 25e9));
    const CollectiveTuning nccl;
    const GroupShape shape = group_shape({16, 8}, test::two_levels());
    CHECK(best_collective(Collective::all_reduce, ByteVolume{1e4}, shape, nccl).algorithm ==
          Algorithm::tree);
    CHECK(best_collective(Collective::all_reduce, gigabyte, shape, nccl).algorithm ==
          Algorithm::ring);
}

TEST_CASE("reduce-scatter and all-gather make an all-reduce") {
    for (const CommGroup group : {CommGroup{8, 1}, CommGroup{32, 1}, CommGroup{16, 4}})
        for (const Algorithm algorithm : {Algorithm::ring, Algorithm::halving_doubling}) {
            CAPTURE(group.size);
            const auto time = [&](Collective kind) {
                return seconds(kind, algorithm, gigabyte, group, test::two_levels());
            };
            CHECK(time(Collective::reduce_scatter) + time(Collective::all_gather) ==
                  relative(time(Collective::all_reduce)));
        }
}

TEST_CASE("hierarchical without overlap is its phases one after the other") {
    const LocalityTree tree = test::two_levels();
    const auto ring = [&](Collective kind, ByteVolume volume, CommGroup group) {
        return seconds(kind, Algorithm::ring, volume, group, tree);
    };
    const double phases = ring(Collective::reduce_scatter, gigabyte, {8, 1}) +
                          ring(Collective::all_reduce, gigabyte / 8, {4, 8}) +
                          ring(Collective::all_gather, gigabyte, {8, 1});
    CHECK(seconds(Collective::all_reduce, Algorithm::hierarchical, gigabyte, {32, 1}, tree, 1.0) ==
          relative(phases));
    const double inter = ring(Collective::all_reduce, gigabyte / 8, {4, 8}) - 60e-6;
    CHECK(seconds(Collective::all_reduce, Algorithm::hierarchical, gigabyte, {32, 1}, tree, 0.0) ==
          relative(74e-6 + inter));
}

TEST_CASE("several nodes are one ring, unless a switch of the node adds") {
    // Two nodes: level by level, half of what a ring sends would leave a node.
    LocalityTree tree = test::two_levels();
    const auto best = [&](const CollectiveTuning& tuning) {
        return best_collective(Collective::all_reduce, gigabyte, group_shape({16, 1}, tree), tuning)
            .algorithm;
    };
    CHECK(best({}) == Algorithm::ring);
    CHECK(best({.algorithms = AlgorithmSet{Algorithm::hierarchical}}) == Algorithm::hierarchical);
    tree.levels[0].in_network_reduction = true;
    CHECK(best({}) == Algorithm::hierarchical);
}

TEST_CASE("no stack gets more from a link than its rate") {
    LinkLevel level = test::ideal_level(8, 100e9);
    level.efficiency = 0.9;
    const LocalityTree tree{{level}};
    const auto traffic = [&](double link_efficiency) {
        const CollectiveTuning tuning{.link_efficiency = link_efficiency};
        const double ring =
            collective_time(Collective::all_gather, gigabyte, {8, 1}, tree, tuning).count();
        const double message = point_to_point_time(gigabyte, level, tuning).count();
        CHECK(message == relative(ring * 8 / 7));
        return message;
    };
    CHECK(traffic(0.5) == relative(1e9 / 45e9));
    CHECK(traffic(1.1) == relative(1e9 / 99e9));
    CHECK(traffic(1.3) == relative(1e9 / 100e9));
}

TEST_CASE("rings over nodes use every NIC of a node") {
    // FORMULAS 4.6: 2 (n-1)/n S / (g B_nic), never the NIC of one GPU alone.
    CHECK(seconds(Collective::all_reduce, Algorithm::ring, gigabyte, {32, 1}, test::two_levels()) ==
          relative(2.0 * (28e-6 + 3 * 10e-6) + 2.0 * 31 / 32 * 1e9 / (8 * 25e9)));
    // One rank per node has one GPU's share: 32 / 8 as many nodes, a quarter of the rate.
    CHECK(seconds(Collective::all_reduce, Algorithm::ring, gigabyte, {4, 8}, test::two_levels()) ==
          relative(60e-6 + 1.5 * 1e9 / 25e9));
}

TEST_CASE("a group inside one node does not see the network") {
    const LocalityTree node{{test::two_levels().levels[0]}};
    for (const Collective kind : {Collective::all_reduce, Collective::all_to_all})
        CHECK(collective_time(kind, gigabyte, {8, 1}, test::two_levels(), {}) ==
              collective_time(kind, gigabyte, {8, 1}, node, {}));
}

TEST_CASE("all-to-all is bound by its busiest level") {
    // Of 32 ranks, 24 sit on other nodes: S 24/32 at the GPU's share of the NICs.
    const CollectiveTuning tuning;
    const GroupShape shape = group_shape({32, 1}, test::two_levels());
    const auto direct =
        collective_cost(Collective::all_to_all, Algorithm::direct, gigabyte, shape, tuning);
    REQUIRE(direct);
    CHECK(direct->inter.count() == relative(0.75 * 1e9 / 25e9));
    CHECK(direct->intra.count() == relative(7.0 / 32 * 1e9 / 300e9));
    CHECK(direct->latency / Seconds{7e-6 + 24 * 10e-6} == relative(1));
    const auto grouped =
        collective_cost(Collective::all_to_all, Algorithm::grouped, gigabyte, shape, tuning);
    REQUIRE(grouped);
    CHECK(grouped->latency / Seconds{7e-6 + 3 * 10e-6} == relative(1));
}

TEST_CASE("a switch that adds serves all-reduce of enough GPUs only") {
    const LocalityTree tree = switch_that_adds();
    const auto algorithm = [&](Collective kind, std::int64_t gpus) {
        return best_collective(kind, gigabyte, group_shape({gpus, 1}, tree), {}).algorithm;
    };
    CHECK(algorithm(Collective::all_reduce, 4) == Algorithm::ring);
    CHECK(algorithm(Collective::all_reduce, 8) == Algorithm::in_network);
    CHECK(algorithm(Collective::all_gather, 8) == Algorithm::ring);
    CHECK(seconds(Collective::all_reduce, Algorithm::in_network, gigabyte, {8, 1}, tree) ==
          relative(90e-6 + 9.0 / 8 * 1e9 / (0.68 * 450e9)));
}

TEST_CASE("small messages take the protocol with fewer steps to wait for") {
    LocalityTree tree = test::two_levels();
    const auto time = [&](double bytes) {
        return collective_time(Collective::all_reduce, ByteVolume{bytes}, {8, 1}, tree, {});
    };
    const Seconds small = time(1e3);
    const Seconds large = time(1e9);
    tree.levels[0].low_latency = {.startup = {}, .latency = Seconds{0.1e-6}, .efficiency = 0.1};
    CHECK(time(1e3) < small);
    CHECK(time(1e9) == large);
}

TEST_CASE("fewer GPUs than a mesh holds reach fewer of its links") {
    LocalityTree mesh{{test::ideal_level(8, 448e9)}};
    mesh.levels[0].wiring = Wiring::full_mesh;
    // Two MI300X have one of seven links between them: S / 64 GB/s.
    CHECK(seconds(Collective::all_reduce, Algorithm::ring, gigabyte, {2, 1}, mesh) ==
          relative(1e9 / 64e9));
    CHECK(seconds(Collective::all_reduce, Algorithm::ring, gigabyte, {8, 1}, mesh) ==
          relative(1.75e9 / 448e9));
    LocalityTree cube{{test::ideal_level(8, 150e9)}};
    cube.levels[0].wiring = Wiring::cube_mesh;
    CHECK(seconds(Collective::all_reduce, Algorithm::ring, gigabyte, {2, 1}, cube) ==
          relative(1e9 / 25e9));
    CHECK(seconds(Collective::all_reduce, Algorithm::ring, gigabyte, {4, 1}, cube) ==
          relative(1.5e9 / 100e9));
}

TEST_CASE("a group of one and an empty buffer") {
    for (const Collective kind : {Collective::all_reduce, Collective::broadcast}) {
        CHECK(collective_time(kind, gigabyte, {1, 1}, test::two_levels(), {}) == Seconds{0});
        CHECK(collective_time(kind, ByteVolume{0}, {8, 1}, test::two_levels(), {}) > Seconds{0});
    }
    const GroupShape alone = group_shape({1, 1}, test::two_levels());
    CHECK(best_collective(Collective::all_reduce, gigabyte, alone, {}).total() == Seconds{0});
}

TEST_CASE("an algorithm that does not serve the collective is refused with that reason") {
    const CollectiveTuning tuning{.algorithms = AlgorithmSet{Algorithm::in_network}};
    CHECK_THROWS_WITH_AS(
        (void)collective_time(Collective::all_reduce, gigabyte, {8, 1}, test::two_levels(), tuning),
        "algorithm: no chosen algorithm does all-reduce over this group; leave the choice to the "
        "model",
        ModelError);
}

TEST_CASE("one message between two GPUs") {
    LinkLevel level = test::two_levels().levels[1];
    level.efficiency = 0.5;
    CHECK(point_to_point_time(gigabyte, level, {}).count() == relative(10e-6 + 1e9 / 12.5e9));
}

TEST_CASE("every collective and algorithm is found by its own name") {
    for (const std::string_view text : collective_names)
        CHECK(collective_names[static_cast<std::size_t>(*find_collective(text))] == text);
    for (const std::string_view text : algorithm_names)
        CHECK(algorithm_names[static_cast<std::size_t>(*find_algorithm(text))] == text);
    CHECK_FALSE(find_collective("all_reduce"));
    CHECK_FALSE(find_algorithm(""));
}

} // namespace bursar::collective_test
