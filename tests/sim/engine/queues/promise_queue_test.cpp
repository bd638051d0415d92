#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/queues/promise_queue.hpp"
#include "sim/plan/job_order.hpp"
#include "sim/team/team.hpp"

#include "policies/runs/engine_types.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::promise_queue_test {
namespace {

using Queue = PromiseQueue<AnyMovingRule>;

/// Jobs of few lengths, so that there are ties.
Plan draw_plan() {
    std::vector<test::JobSpec> jobs{{0, 0, 1}, {0, 0, 2}, {0, 0, 3}};
    const int num_jobs = drawn::in_range(0, 100);
    for (int j = 0; j < num_jobs; ++j)
        jobs.push_back({j, drawn::in_range(0, 30), drawn::in_range(1U, 4U)});
    Plan plan = test::plan_of(jobs, {test::pool_of(1, 4)});
    plan.world.resize(1); // jobs can be stopped, and nodes come and go
    return plan;
}

JobOrder order_of(const Plan& plan) {
    const auto layout = drawn::one_of(OrderLayout::by_shape, OrderLayout::one_line);
    return order_by_keys(plan, {plan.work_ms.begin(), plan.work_ms.end()}, layout);
}

/// An empty queue, in memory with data of another run.
test::ArenaBlock<Queue> queue_of(const Plan& plan, const JobOrder& order, const OrderRule& rule) {
    const auto num_jobs = static_cast<std::uint32_t>(plan.num_jobs());
    const ArenaSize size{num_jobs, num_jobs, 0};
    test::ArenaBlock<Queue> block{[&](ArenaCarver& carver) {
        return Queue{carver,
                     RunPlan{view_of(plan)},
                     size,
                     view_of(order),
                     order_of<AnyMovingRule>(rule, view_of(order))};
    }};
    std::memset(block.memory.data(), 0x5a, block.memory.size() * sizeof(block.memory[0]));
    block.content.clear();
    return block;
}

/// The same, by looking at every job.
class Naive {
  public:
    enum class Stage { waiting, promised, hopeless };

    explicit Naive(const Plan& plan) : plan_{plan} {
        for (const std::int64_t work : plan.work_ms)
            key.push_back(work);
    }

    /// Those at a stage, in order.
    [[nodiscard]] std::vector<JobId> at(Stage stage) const {
        std::vector<JobId> jobs;
        for (const auto& [job, own] : stage_of)
            if (own == stage)
                jobs.push_back(job);
        std::ranges::stable_sort(jobs, [&](JobId a, JobId b) { return key[a] < key[b]; });
        return jobs;
    }
    [[nodiscard]] std::size_t num_pending(ShapeId shape) const {
        return std::ranges::count_if(
            stage_of, [&](const auto& own) { return plan_.shape[own.first] == shape; });
    }

    std::map<JobId, Stage> stage_of; ///< of those that wait
    std::vector<std::int64_t> key;

  private:
    const Plan& plan_;
};

/// Takes random steps of conservative backfilling, and compares after each.
class Driver {
  public:
    Driver(const Plan& plan, Queue& queue, bool moves)
        : plan_{plan}, queue_{queue}, moves_{moves}, naive_{plan} {}

    void step() {
        switch (drawn::in_range(0, 7)) {
        case 0:
        case 1:
            arrive();
            break;
        case 2:
            decide(Naive::Stage::promised);
            break;
        case 3:
            decide(Naive::Stage::hopeless);
            break;
        case 4:
            start();
            break;
        case 5:
            come_back();
            break;
        default:
            change_capacity();
            break;
        }
        compare();
    }

  private:
    [[nodiscard]] Candidate candidate_of(JobId job) const {
        return {job, ShapeId{plan_.shape[job]}};
    }
    void arrive() {
        if (next_ == plan_.num_jobs())
            return;
        const JobId job{next_++};
        queue_.arrive(job);
        naive_.stage_of[job] = Naive::Stage::waiting;
    }
    /// A step on the first job without a reservation.
    void decide(Naive::Stage stage) {
        const std::vector<JobId> waiting = naive_.at(Naive::Stage::waiting);
        if (waiting.empty())
            return;
        const Candidate first = queue_.first_waiting(OneLane{});
        if (stage == Naive::Stage::promised)
            queue_.promise(first);
        else
            queue_.set_aside(first);
        naive_.stage_of[waiting.front()] = stage;
    }
    void start() {
        const std::vector<JobId> promised = naive_.at(Naive::Stage::promised);
        if (promised.empty())
            return;
        const JobId job = drawn::element_of(promised);
        queue_.start(candidate_of(job));
        naive_.stage_of.erase(job);
        running_.push_back(job);
    }
    void come_back() {
        if (running_.empty())
            return;
        const JobId job = drawn::element_of(running_);
        std::erase(running_, job);
        Progress progress{plan_.work_ms[job]};
        progress.work_left_ms =
            1000 * drawn::in_range<std::int64_t>(0, plan_.work_ms[job] / 1000 + 1);
        progress.num_stopped = 1;
        queue_.come_back({{}, job, ShapeId{plan_.shape[job]}, true}, progress);
        if (moves_)
            naive_.key[job] = progress.work_left_ms;
        naive_.stage_of[job] = Naive::Stage::waiting;
    }
    /// Promises are made again, and some jobs no longer fit.
    void change_capacity() {
        queue_.take_back_all();
        for (auto& [job, stage] : naive_.stage_of)
            if (stage == Naive::Stage::hopeless)
                stage = Naive::Stage::waiting;
        const std::vector<JobId> promised = naive_.at(Naive::Stage::promised);
        std::size_t listed = 0;
        queue_.for_each_promised([&](JobId job) {
            RC_ASSERT(job == promised.at(listed++));
            if (drawn::in_range(0, 3) > 0)
                return;
            queue_.set_aside_promised(job);
            naive_.stage_of[job] = Naive::Stage::hopeless;
        });
        RC_ASSERT(listed == promised.size());
    }

    void compare() {
        const std::vector<JobId> waiting = naive_.at(Naive::Stage::waiting);
        const std::vector<JobId> promised = naive_.at(Naive::Stage::promised);
        RC_ASSERT(queue_.num_jobs() == naive_.stage_of.size());
        RC_ASSERT(queue_.num_waiting() == waiting.size());
        RC_ASSERT(queue_.num_promised() == promised.size());
        for (ShapeId shape{0}; shape < plan_.shapes.size(); ++shape)
            RC_ASSERT(queue_.num_pending(shape) == naive_.num_pending(shape));
        const Candidate first = queue_.first_waiting(OneLane{});
        RC_ASSERT(first.job == (waiting.empty() ? Candidate::no_job() : waiting.front()));
        if (!waiting.empty())
            RC_ASSERT(first.shape == plan_.shape[first.job]);
        std::vector<JobId> listed;
        queue_.for_each_promised([&](JobId job) { listed.push_back(job); });
        RC_ASSERT(listed == promised);
    }

    const Plan& plan_;
    Queue& queue_;
    bool moves_;
    Naive naive_;
    std::vector<JobId> running_;
    std::uint32_t next_{};
};

} // namespace

TEST_CASE("jobs get promises in order, and those that come back by their remaining work") {
    for (const bool moves : {false, true}) {
        CAPTURE(moves);
        CHECK(check_property([&] {
            const Plan plan = draw_plan();
            const JobOrder order = order_of(plan);
            const OrderRule rule =
                moves ? OrderRule{AnyMovingRule{ShortestRemainingRule{}}} : OrderRule{FixedOrder{}};
            auto block = queue_of(plan, order, rule);
            Driver driver{plan, block.content, moves};
            for (int steps = drawn::in_range(0, 400); steps > 0; --steps)
                driver.step();
        }));
    }
}

} // namespace bursar::promise_queue_test
