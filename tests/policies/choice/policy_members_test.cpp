#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "policies/choice/policy_members.hpp"

namespace bursar::test::policy_members_test {

TEST_CASE("the list has every member of a choice of policies") {
    const PolicyChoice choice;
    const auto& [queue,
                 head,
                 capacity,
                 placement,
                 backfill,
                 preemption,
                 broker,
                 allocator,
                 quantum,
                 sharing,
                 estimates,
                 precision,
                 staging,
                 seed,
                 of_queue,
                 of_placement,
                 of_backfill,
                 of_preemption,
                 of_estimates,
                 of_precision,
                 of_broker,
                 of_allocator,
                 of_staging] = choice;
    std::vector<const void*> listed;
    each_member(choice, [&](std::string_view, const auto& member) { listed.push_back(&member); });
    const std::vector<const void*> all{
        &queue,        &head,         &capacity,  &placement,    &backfill,    &preemption,
        &broker,       &allocator,    &quantum,   &sharing,      &estimates,   &precision,
        &staging,      &seed,         &of_queue,  &of_placement, &of_backfill, &of_preemption,
        &of_estimates, &of_precision, &of_broker, &of_allocator, &of_staging};
    CHECK(listed == all);
}

} // namespace bursar::test::policy_members_test
