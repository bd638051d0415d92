#include <string>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "tests/policies/agreement/check_agreement.hpp"
#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/random_plan.hpp"

namespace bursar::test::backfill_agreement_test {

TEST_CASE("EASY agrees with the naive scheduler, estimates right or wrong") {
    for (const std::string queue : {"fifo", "sjf", "priority"}) {
        for (const std::string capacity : {"count", "nodes"}) {
            for (const std::string placement : {"first-fit", "consolidated"}) {
                PolicyChoice choice{queue, HeadRule::block, capacity, placement};
                choice.backfill = "easy";
                CAPTURE(name_of(choice));
                CHECK(rc::check([&] {
                    check_agreement(draw_plan({.max_pools = *rc::gen::inRange(1, 4),
                                               .with_speeds = *rc::gen::arbitrary<bool>(),
                                               .with_estimates = *rc::gen::arbitrary<bool>()}),
                                    choice);
                }));
            }
        }
    }
}

} // namespace bursar::test::backfill_agreement_test
