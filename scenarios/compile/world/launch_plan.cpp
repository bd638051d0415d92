#include "scenarios/compile/world/launch_plan.hpp"

namespace bursar { inline namespace scenarios {

void add_launch_failures(const Scenario& scenario,
                         std::size_t pool,
                         Duration until,
                         std::vector<WorldEvent>& events) {
    const LaunchFailures& law = scenario.fleet[pool].launch_failures->law;
    bool failed = false;
    for (std::int64_t at = 0; at < until.count(); at = law.bucket_end(at)) {
        const bool fails = law.fails(at, static_cast<std::uint32_t>(pool), scenario.policy.seed);
        if (fails != failed)
            events.push_back({.time_ms = at,
                              .node = fails ? 0U : 1U,
                              .pool = static_cast<StoredPoolId>(pool),
                              .kind = WorldEventKind::launches});
        failed = fails;
    }
}

}} // namespace bursar::scenarios
