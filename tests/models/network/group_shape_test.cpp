#include <vector>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/network/group_shape.hpp"

#include "tests/models/network/example_trees.hpp"

namespace bursar::group_shape_test {
namespace {

struct Case {
    CommGroup group;
    std::vector<std::int64_t> inside; ///< per level crossed
    std::vector<std::int64_t> parts;
};

void check_shape(const Case& expected, const LocalityTree& tree) {
    CAPTURE(expected.group.size);
    CAPTURE(expected.group.stride);
    const GroupShape shape = group_shape(expected.group, tree);
    REQUIRE(shape.size == expected.inside.size());
    double hops = 0;
    for (std::size_t i = 0; i < shape.size; ++i) {
        CAPTURE(i);
        CHECK(shape.crossings[i].inside == expected.inside[i]);
        CHECK(shape.crossings[i].parts == expected.parts[i]);
        hops += shape.crossings[i].hops;
    }
    CHECK(hops == static_cast<double>(expected.group.size - 1)); // a ring visits every rank once
}

} // namespace

TEST_CASE("size and stride decide how many ranks share a domain") {
    for (const Case& expected : {Case{{1, 1}, {}, {}},
                                 Case{{8, 1}, {1}, {8}},
                                 Case{{4, 2}, {1}, {4}},
                                 Case{{16, 1}, {1, 8}, {8, 2}},
                                 Case{{16, 2}, {1, 4}, {4, 4}},
                                 Case{{4, 8}, {1}, {4}},
                                 Case{{4, 16}, {1}, {4}}})
        check_shape(expected, test::two_levels());
}

TEST_CASE("a tree may have racks between nodes and fabric") {
    for (const Case& expected : {Case{{32, 1}, {1, 8}, {8, 4}},
                                 Case{{64, 1}, {1, 8, 32}, {8, 4, 2}},
                                 Case{{8, 8}, {1, 4}, {4, 2}},
                                 Case{{2, 32}, {1}, {2}}})
        check_shape(expected, test::make_three_levels());
}

TEST_CASE("the traffic of the node with the fewest ranks crosses its links") {
    const GroupShape shape = group_shape({12, 1}, test::two_levels());
    REQUIRE(shape.size == 2);
    CHECK(shape.crossings[1].inside == 4);
    CHECK(shape.crossings[1].parts == 2);
}

TEST_CASE("groups and trees that cannot be are refused") {
    CHECK_THROWS_AS((void)group_shape({0, 1}, test::two_levels()), ModelError);
    CHECK_THROWS_AS((void)group_shape({2, 0}, test::two_levels()), ModelError);
    const LocalityTree empty;
    CHECK_THROWS_AS((void)group_shape({2, 1}, empty), ModelError);
    LocalityTree deep;
    for (std::int64_t i = 0; i < 9; ++i)
        deep.levels.push_back(test::ideal_level(std::int64_t{2} << i, 1e9));
    CHECK_THROWS_AS((void)group_shape({2, 1}, deep), ModelError);
    const LocalityTree node{{test::ideal_level(8, 1e9)}};
    CHECK_THROWS_WITH_AS((void)group_shape({16, 1}, node),
                         "group: reaches over 16 GPUs of a network of 8; make the group smaller or "
                         "the network larger",
                         ModelError);
}

} // namespace bursar::group_shape_test
