#include <set>
#include <string>

#include <doctest/doctest.h>

#include "policies/choice/policy_slots.hpp"
#include "policies/runs/simulate.hpp"
#ifdef BURSAR_HAS_CUDA
#include "policies/batch/batch_kernels.hpp"
#endif

#include "tests/plan_builder.hpp"

namespace bursar::policy_slots_test {

TEST_CASE("every policy of the catalogue has a unique name in its policy slot, and a summary") {
    std::set<std::string> seen;
    for (const PolicyInfo& info : policy_catalog()) {
        CAPTURE(info.name);
        CHECK(seen.insert(std::string{info.policy_slot} + "/" + std::string{info.name}).second);
        CHECK(!info.summary.empty());
    }
    CHECK(seen.size() >= 9);
}

// Without contention every choice gives the same outcome.
TEST_CASE("every choice of the catalogue runs, and all agree without contention") {
    const Plan plan = test::plan_of({{0, 10, 1}, {5, 10, 8}, {30, 1, 3}}, {test::pool_of(4, 8)});
    std::set<std::int64_t> finishes;
    for (const PolicyInfo& queue : policies_of("queue")) {
        for (const HeadRule head : {HeadRule::block, HeadRule::skip}) {
            for (const PolicyInfo& capacity : policies_of("capacity")) {
                for (const PolicyInfo& placement : policies_of("placement")) {
                    const PolicyChoice choice{std::string{queue.name},
                                              head,
                                              std::string{capacity.name},
                                              std::string{placement.name}};
                    Workspace workspace;
                    const Run run =
                        simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
                    CHECK(run.jobs.start_ms == plan.submit_ms);
                    finishes.insert(run.outcome.end.count());
                }
            }
        }
    }
    CHECK(finishes.size() == 1);
}

#ifdef BURSAR_HAS_CUDA
TEST_CASE("every choice of the catalogue has a kernel; orders by fixed keys share one") {
    const Plan plan = test::plan_of({{0, 10, 1}}, {test::pool_of(1, 8)});
    const auto kernel = [&](std::string_view queue, HeadRule head, std::string_view placement) {
        return batch_kernel_for(
                   engine_choice(plan, {std::string{queue}, head, "nodes", std::string{placement}}),
                   TeamKind::warp)
            .kernel;
    };
    for (const PolicyInfo& placement : policies_of("placement")) {
        std::set<const void*> kernels;
        for (const PolicyInfo& queue : policies_of("queue"))
            for (const HeadRule head : {HeadRule::block, HeadRule::skip})
                kernels.insert(kernel(queue.name, head, placement.name));
        CHECK(!kernels.contains(nullptr));
        CHECK(kernel("sjf", HeadRule::block, placement.name) ==
              kernel("edf", HeadRule::skip, placement.name));
        CHECK(kernel("fair-share", HeadRule::block, placement.name) !=
              kernel("drf", HeadRule::block, placement.name));
    }
}
#endif

} // namespace bursar::policy_slots_test
