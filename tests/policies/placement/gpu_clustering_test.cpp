#include <initializer_list>

#include <doctest/doctest.h>

#include "policies/placement/gpu_clustering.hpp"

#include "tests/policies/placement/node_by_hand.hpp"

namespace bursar::test::gpu_clustering_test {
namespace {

NodeView holding(const NodeByHand& node, std::initializer_list<std::uint32_t> kinds) {
    NodeView view = node.view();
    for (const std::uint32_t kind : kinds)
        view.kinds.insert(PieceKinds::bit_of(kind));
    return view;
}

} // namespace

TEST_CASE("gpu-clustering ranks nodes by the kinds of pieces on them") {
    const FleetView fleet{.max_slots = 4000};
    const NodeByHand node{PlanPool{}, {1000, 1000, 0, 0}};
    const PieceDemand pair{2, 1000};
    const auto score = [&](std::initializer_list<std::uint32_t> kinds) {
        return score_node(GpuClustering{}, fleet, holding(node, kinds), pair).score;
    };
    CHECK(score({2}) < score({2, 1}));
    CHECK(score({2, 1}) < score({}));
    CHECK(score({}) < score({1}));
    CHECK(score({1}) == score({0, 1, 4}));
    const NodeByHand fuller{PlanPool{}, {1000, 1000}};
    const NodeByHand emptier{PlanPool{}, {1000, 1000, 1000, 0}};
    CHECK(score_node(GpuClustering{}, fleet, holding(fuller, {2}), pair).score <
          score_node(GpuClustering{}, fleet, holding(emptier, {2}), pair).score);
}

} // namespace bursar::test::gpu_clustering_test
