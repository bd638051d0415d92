#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/queues/ranked_queue.hpp"
#include "sim/plan/job_order.hpp"
#include "sim/team/team.hpp"

#include "policies/runs/engine_types.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::ranked_queue_test {
namespace {

constexpr std::uint32_t num_shapes = 3;

struct Drawn {
    Plan plan;
    std::vector<std::uint64_t> key;
};

Drawn draw() {
    std::vector<test::JobSpec> jobs{{0, 0, 1}, {0, 0, 2}, {0, 0, 3}};
    const int num_jobs = drawn::in_range(0, 200);
    for (int j = 0; j < num_jobs; ++j)
        jobs.push_back({j, 0, drawn::in_range(1U, 1 + num_shapes)});
    Drawn drawn{test::plan_of(jobs, {test::pool_of(1, 4)}), {}};
    const auto num_keys = drawn::in_range<std::uint64_t>(1, 100);
    for (std::size_t job = 0; job < drawn.plan.num_jobs(); ++job)
        drawn.key.push_back(drawn::in_range<std::uint64_t>(0, num_keys));
    return drawn;
}

/// An empty queue, in memory with data of another run.
template <class Queue>
test::ArenaBlock<Queue> queue_of(const Drawn& drawn, const JobOrder& order) {
    test::ArenaBlock<Queue> block{[&](ArenaCarver& carver) {
        return Queue{carver, RunPlan{view_of(drawn.plan)}, view_of(order)};
    }};
    std::memset(block.memory.data(), 0x5a, block.memory.size() * sizeof(block.memory[0]));
    block.content.clear();
    return block;
}

/// The pending jobs, in order.
class SortedJobs {
  public:
    explicit SortedJobs(const Drawn& drawn) : drawn_{drawn} {}
    void insert(JobId job) { jobs_.insert({drawn_.key[job], job}); }
    void erase(JobId job) { jobs_.erase({drawn_.key[job], job}); }
    [[nodiscard]] std::size_t size() const { return jobs_.size(); }
    [[nodiscard]] JobId at(std::size_t i) const {
        return std::get<1>(*std::next(jobs_.begin(), i));
    }

    template <class Test>
    [[nodiscard]] JobId first_where(const Test& test) const {
        for (const auto& [key, job] : jobs_) {
            if (test(drawn_.plan.shape[job]))
                return job;
        }
        return Candidate::no_job();
    }
    [[nodiscard]] std::size_t num_pending(std::uint32_t shape) const {
        return std::ranges::count_if(
            jobs_, [&](const auto& job) { return drawn_.plan.shape[std::get<1>(job)] == shape; });
    }

  private:
    const Drawn& drawn_;
    std::set<std::tuple<std::uint64_t, JobId>> jobs_;
};

Candidate candidate_of(const Drawn& drawn, JobId job) {
    return {job, ShapeId{drawn.plan.shape[job]}};
}

void check_same(const Drawn& drawn, const RankedQueue& queue, const SortedJobs& expected) {
    RC_ASSERT(queue.num_jobs() == expected.size());
    for (ShapeId shape{0}; shape < num_shapes; ++shape)
        RC_ASSERT(queue.num_pending(shape) == expected.num_pending(shape));
    const Candidate head = queue.head(OneLane{});
    RC_ASSERT(head.job == expected.first_where([](std::uint32_t) { return true; }));
    if (expected.size() > 0)
        RC_ASSERT(head.shape == drawn.plan.shape[head.job]);
}

} // namespace

TEST_CASE("a ranked queue in one line always has the first in order at its head") {
    CHECK(check_property([] {
        const Drawn drawn = draw();
        const JobOrder order = order_by_keys(drawn.plan, drawn.key, OrderLayout::one_line);
        auto block = queue_of<RankedQueue>(drawn, order);
        RankedQueue& queue = block.content;
        SortedJobs expected{drawn};
        const int patience = drawn::in_range(2, 10); // the larger, the longer the queue
        for (JobId job{0}; job < drawn.plan.num_jobs(); ++job) {
            queue.arrive(job);
            expected.insert(job);
            check_same(drawn, queue, expected);
            for (int step = 0; step < 4 && expected.size() > 0; ++step) {
                if (drawn::in_range(0, patience) != 0)
                    break;
                const Candidate head = queue.head(OneLane{});
                queue.start(head);
                expected.erase(head.job);
                check_same(drawn, queue, expected);
                if (drawn::in_range(0, 4) == 0) { // stopped, it waits again
                    queue.come_back({{}, head.job, head.shape, true}, {});
                    expected.insert(head.job);
                    check_same(drawn, queue, expected);
                    break;
                }
            }
        }
    }));
}

TEST_CASE("a ranked queue by shape agrees with a sorted list") {
    CHECK(check_property([] {
        const Drawn drawn = draw();
        const JobOrder order = order_by_keys(drawn.plan, drawn.key);
        auto block = queue_of<RankedQueue>(drawn, order);
        RankedQueue& queue = block.content;
        SortedJobs expected{drawn};
        const int patience = drawn::in_range(2, 10);
        for (JobId job{0}; job < drawn.plan.num_jobs(); ++job) {
            queue.arrive(job);
            expected.insert(job);
            for (int step = 0; step < 4 && expected.size() > 0; ++step) {
                if (drawn::in_range(0, patience) != 0)
                    break;
                const auto shapes = drawn::in_range(1U, 1U << num_shapes);
                const auto fits = [&](std::uint32_t shape) { return (shapes >> shape & 1U) != 0; };
                Candidate next = queue.first_where(OneLane{}, fits);
                RC_ASSERT(next.job == expected.first_where(fits));
                if (drawn::boolean()) { // any other
                    next = candidate_of(
                        drawn, expected.at(drawn::in_range<std::size_t>(0, expected.size())));
                    queue.take_out(next);
                } else if (next.job == Candidate::no_job()) {
                    continue;
                } else {
                    RC_ASSERT(queue.head_of(next.shape).job == next.job);
                    RC_ASSERT(queue.head_of(next.shape).key == drawn.key[next.job]);
                    queue.start(next);
                }
                expected.erase(next.job);
                check_same(drawn, queue, expected);
                if (drawn::in_range(0, 4) == 0) {
                    queue.come_back({{}, next.job, next.shape, true}, {});
                    expected.insert(next.job);
                }
                check_same(drawn, queue, expected);
            }
        }
    }));
}

} // namespace bursar::ranked_queue_test
