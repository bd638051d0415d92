#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/attempts/job_views.hpp"
#include "sim/engine/queues/moving_queue.hpp"
#include "sim/plan/job_order.hpp"

#include "policies/rules/least_attained.hpp"
#include "policies/runs/engine_types.hpp"

#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"
#include "tests/sim/engine/naive_starts.hpp"
#include "tests/sim/engine/queues/drive_queue.hpp"

namespace bursar::test::moving_queue_test {
namespace {

/// Levels of run time that a few steps of the driver reach.
const LeastAttainedRule rule{{4, 12}, true, false};

/// Ranks every waiting job again, by its progress.
class NaiveLevels {
  public:
    NaiveLevels(const Plan& plan, const CarriedJobs& carried) : plan_{plan}, carried_{carried} {}

    void advance(std::int64_t) {}
    void arrived(JobId) {}
    void started(JobId) {}
    void ended(JobId) {}
    [[nodiscard]] bool before(JobId a, JobId b) const { return key(a) < key(b); }

  private:
    [[nodiscard]] std::uint64_t key(JobId job) const {
        return rule.key(view_of_waiting(view_of(plan_), job, carried_.of(job)));
    }

    const Plan& plan_;
    const CarriedJobs& carried_;
};

} // namespace

TEST_CASE("MovingQueue agrees with ranking every waiting job again, also stopped ones") {
    CHECK(check_property([] {
        Plan plan = draw_plan_of_tenants();
        draw_lengths(plan);
        const JobOrder order = order_jobs(plan, rule);
        JobOrderView jobs = view_of(order);
        jobs.finds_short = true;
        const auto num_jobs = static_cast<std::uint32_t>(plan.num_jobs());
        ArenaBlock<CarriedJobs> carried{[&](ArenaCarver& carver) {
            return CarriedJobs{carver, view_of(plan), num_jobs};
        }};
        carried.content.clear();
        using Queue = MovingQueue<LeastAttainedRule>;
        ArenaBlock<Queue> queue{[&](ArenaCarver& carver) {
            return Queue{carver, RunPlan{view_of(plan)}, {.max_resumed = num_jobs}, jobs, rule};
        }};
        queue.content.clear();
        const std::vector<std::uint64_t> no_levels;
        QueueDriver<Queue, NaiveLevels>{
            plan, no_levels, carried.content, queue.content, {plan, carried.content}}
            .drive(60);
    }));
}

} // namespace bursar::test::moving_queue_test
