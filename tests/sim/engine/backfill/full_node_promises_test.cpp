#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "policies/placement/registry.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/properties.hpp"
#include "tests/sim/engine/backfill/naive_promises.hpp"
#include "tests/sim/engine/nodes/draw_nodes.hpp"

namespace bursar::test::full_node_promises_test {
namespace {

/// Jobs of shapes that fit some empty node, at different times; run times of 1 ms or more, with
/// estimates at least as long.
Plan draw_runs(const Wishes& wishes, const PlacementSetting& setting) {
    Plan plan = draw_plan(wishes);
    NaiveNodes empty{plan, setting};
    std::erase_if(plan.shape, [&](std::uint16_t shape) { return !empty.fits(plan.shapes[shape]); });
    plan.shape.resize(std::min<std::size_t>(plan.shape.size(), 20));
    const bool exact = drawn::boolean();
    plan.submit_ms.clear();
    plan.work_ms.clear();
    plan.classes.resize(1);
    plan.job_class.assign(plan.shape.size(), 0);
    plan.tenant.assign(plan.shape.size(), 0);
    plan.end.assign(plan.shape.size(), JobEnd::completed);
    std::int64_t submit = 0;
    for (std::size_t job = 0; job < plan.shape.size(); ++job) {
        submit += drawn::in_range(0, 4);
        plan.submit_ms.push_back(submit);
        plan.work_ms.push_back(drawn::in_range(1, 12));
        if (!exact)
            plan.estimate_ms.push_back(plan.work_ms.back() + drawn::in_range(0, 8));
    }
    return plan;
}

} // namespace

TEST_CASE("promises on nodes in full agree with plain lists of stays") {
    for (const PolicyInfo& placement : PlacementPolicies::infos("placement")) {
        if (placement.name == "topology") // not supported by the plain list of nodes
            continue;
        for (const Wishes& wishes : {Wishes{true, true, false}, Wishes{true, true, true}}) {
            CAPTURE(placement.name);
            CHECK(rc::check(std::string{placement.name}, [&] {
                PolicyChoice choice{"fifo", HeadRule::block, "nodes", std::string{placement.name}};
                choice.backfill = "conservative";
                const PlacementSetting setting =
                    placement_setting(choice.placement, {}, choice.seed);
                const Plan plan = draw_runs(wishes, setting);
                Workspace workspace{1}; // grows on the way
                const Run run =
                    simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
                RC_ASSERT(run.outcome.num_finished == plan.num_jobs());
                const std::vector<NaivePromises::Start> starts = NaivePromises{plan, setting}.run();
                for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
                    RC_ASSERT(run.jobs.start_ms[job] == starts[job].at_ms);
                    RC_ASSERT(run.jobs.pool[job] == starts[job].pool);
                }
            }));
        }
    }
}

} // namespace bursar::test::full_node_promises_test
