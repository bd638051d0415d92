#include <cstddef>
#include <cstring>
#include <string_view>
#include <type_traits>

#include <doctest/doctest.h>

#include "sim/plan/world_event.hpp"

namespace bursar::test::world_event_test { namespace {

static_assert(std::is_trivially_copyable_v<WorldEvent>);

TEST_CASE("an event returns the fields that it was made of") {
    const WorldEvent goes{
        5, NodeOffline{.pool = PoolId{3}, .node = 7, .cause = StopCause::hung, .hold_ms = 11}};
    CHECK(goes.time_ms == 5);
    REQUIRE(goes.is<NodeOffline>());
    CHECK(!goes.is<NodeOnline>());
    CHECK(goes.as<NodeOffline>().pool == 3);
    CHECK(goes.as<NodeOffline>().node == 7);
    CHECK(goes.as<NodeOffline>().cause == StopCause::hung);
    CHECK(goes.as<NodeOffline>().hold_ms == 11);
    const WorldEvent opens{6, ShapeAdmission{.shape = ShapeId{4}, .opens = true}};
    CHECK(opens.as<ShapeAdmission>().shape == 4);
    CHECK(opens.as<ShapeAdmission>().opens);
    CHECK(opens.as<ShapeAdmission>().cause == StopCause::budget);
    const WorldEvent order{7, OrderChange{.preference = 8, .order = 9}};
    CHECK(order.as<OrderChange>().preference == 8);
    CHECK(order.as<OrderChange>().order == 9);
    const WorldEvent supply{8,
                            SupplyChange{.pool = PoolId{1}, .num_nodes = 2, .notice_ms = 30'000}};
    CHECK(supply.as<SupplyChange>().num_nodes == 2);
    CHECK(supply.as<SupplyChange>().notice_ms == 30'000);
}

TEST_CASE("unused fields of an event are 0, so that equal plans have equal bytes") {
    const WorldEvent closes{0, RunCloses{}};
    WorldEvent::each_place(closes, [](std::string_view name, const auto& place) {
        CAPTURE(name);
        if (name != "kind")
            CHECK(static_cast<int>(place) == 0);
    });
}

}} // namespace bursar::test::world_event_test
