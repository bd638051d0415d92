#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/policies/agreement/check_agreement.hpp"
#include "tests/policies/orders_where.hpp"
#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

// The engine never sorts during a run; the oracle sorts everything at every event. They agree on
// every attempt and leaf. For orders with a rule the oracle computes ranks independently; for
// others it uses the key.
namespace bursar::test::order_agreement_test {

TEST_CASE("orders with fixed keys agree with the naive scheduler") {
    const std::vector<std::string> queues = orders_where(has_fixed_keys);
    REQUIRE(queues.size() >= 6);
    for (const std::string& queue : queues) {
        for (const HeadRule head : {HeadRule::block, HeadRule::skip}) {
            for (const std::string capacity : {"count", "nodes"}) {
                for (const std::string placement : {"first-fit", "consolidated"}) {
                    const PolicyChoice choice{queue, head, capacity, placement};
                    CAPTURE(name_of(choice));
                    CHECK(check_property([&] {
                        check_agreement(draw_plan({.with_speeds = drawn::boolean(),
                                                   .with_estimates = drawn::boolean()}),
                                        choice);
                    }));
                }
            }
        }
    }
}

} // namespace bursar::test::order_agreement_test
