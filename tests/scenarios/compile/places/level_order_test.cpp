#include <doctest/doctest.h>

#include "scenarios/compile/places/level_order.hpp"

namespace bursar::level_order_test {

using Names = std::vector<std::string>;

TEST_CASE("levels of several pools form one order that agrees with each pool") {
    CHECK(level_order({{{"node"}, {"rack"}, {"fabric"}}}).names == Names{"node", "rack", "fabric"});
    CHECK(level_order({{{"node"}, {"rack"}, {"fabric"}},
                       {{"node"}, {"nvlink", "rack"}, {"pod"}, {"fabric"}}})
              .names == Names{"node", "nvlink", "rack", "pod", "fabric"});
    CHECK(level_order({{{"node", "fabric"}}, {{"nvlink"}, {"node"}, {"fabric"}}}).names ==
          Names{"nvlink", "node", "fabric"});
}

TEST_CASE(
    "names of one level keep their order unless a pool has them separate in the reverse order") {
    CHECK(level_order({{{"node"}, {"fabric"}}, {{"node"}, {"rack", "fabric"}}}).names ==
          Names{"node", "rack", "fabric"});
    CHECK(level_order(
              {{{"nvlink", "node", "rack", "fabric"}}, {{"node"}, {"nvlink", "rack"}, {"fabric"}}})
              .names == Names{"node", "nvlink", "rack", "fabric"});
}

TEST_CASE("two pools that disagree are named, with the levels") {
    const LevelOrder order =
        level_order({{{"nvlink"}, {"node"}, {"fabric"}}, {{"node"}, {"nvlink"}, {"fabric"}}});
    CHECK(order.names.empty());
    CHECK(order.narrow == "nvlink");
    CHECK(order.wide == "node");
    CHECK(order.first_pool == 0);
    CHECK(order.second_pool == 1);
}

TEST_CASE("a cycle through three pools is no order, either") {
    const LevelOrder order = level_order({{{"a"}, {"b"}}, {{"b"}, {"c"}}, {{"c"}, {"a"}}});
    CHECK(order.names.empty());
    CHECK_FALSE(order.narrow.empty());
}

} // namespace bursar::level_order_test
