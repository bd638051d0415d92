#include "policies/simulate.hpp"

#include <cassert>

#include "sim/engine/arrival_cursor.hpp"
#include "sim/engine/count_capacity.hpp"
#include "sim/engine/node_capacity.hpp"
#include "sim/engine/ranked_queue.hpp"
#include "sim/record/recorder.hpp"

#include "policies/placement/registry.hpp"
#include "policies/queue/registry.hpp"

namespace bursar {
namespace {

/// Everything a run needs but the types it is instantiated for.
struct Request {
    const Plan& plan;
    const JobOrder& order;
    HeadRule head;
    Workspace& workspace;
    std::atomic<std::uint64_t>* finished_jobs;
};

template <class Queue, class Capacity, class MakeRecorder>
Outcome run_with(const Request& request, MakeRecorder make_recorder) {
    if constexpr (std::is_same_v<Queue, ArrivalCursor>) {
        return run_plan<Queue, Capacity>(
            request.plan, request.head, OneLane{}, request.workspace, make_recorder);
    } else {
        const JobOrderView order{request.order.position.data(),
                                 request.order.job_at.data(),
                                 request.order.shape_begin.data()};
        return run_plan<Queue, Capacity>(
            request.plan, request.head, OneLane{}, request.workspace, make_recorder, order);
    }
}

template <class Queue, class Capacity>
Run record_with(const Request& request, Record record) {
    Run run;
    switch (record) {
    case Record::ledger: {
        NullRecorder none;
        run.outcome = run_with<Queue, Capacity>(request, [&]() -> auto& { return none; });
        break;
    }
    case Record::jobs: {
        JobRecorder recorder{0};
        run.outcome = run_with<Queue, Capacity>(request, [&]() -> auto& {
            return recorder = JobRecorder{request.plan.num_jobs(), request.finished_jobs};
        });
        run.jobs = recorder.take();
        break;
    }
    case Record::timeline: {
        TimelineRecorder recorder{request.plan};
        run.outcome = run_with<Queue, Capacity>(request, [&]() -> auto& {
            return recorder = TimelineRecorder{request.plan, request.finished_jobs};
        });
        run.jobs = recorder.take_jobs();
        run.timeline = recorder.take_timeline();
        break;
    }
    }
    return run;
}

template <class Queue>
Run simulate_queue(const Request& request, const PolicyChoice& choice, Record record) {
    if (choice.capacity == capacity_count)
        return record_with<Queue, CountCapacity>(request, record);
    Run run;
    [[maybe_unused]] const bool known =
        PlacementPolicies::with(choice.placement, [&]<class P>(std::type_identity<P>) {
            run = record_with<Queue, NodeCapacity<P>>(request, record);
        });
    assert(known);
    return run;
}

} // namespace

bool needs_order(const PolicyChoice& choice) {
    return choice.queue != FirstComeFirstServed::name || choice.head != HeadRule::block;
}

JobOrder order_for(const Plan& plan, const PolicyChoice& choice) {
    JobOrder order;
    if (!needs_order(choice))
        return order;
    [[maybe_unused]] const bool known = QueuePolicies::with(
        choice.queue, [&]<class P>(std::type_identity<P>) { order = order_jobs(plan, P{}); });
    assert(known);
    return order;
}

Run simulate(const Plan& plan,
             const JobOrder& order,
             const PolicyChoice& choice,
             Record record,
             Workspace& workspace,
             std::atomic<std::uint64_t>* finished_jobs) {
    const Request request{plan, order, choice.head, workspace, finished_jobs};
    if (!needs_order(choice))
        return simulate_queue<ArrivalCursor>(request, choice, record);
    Run run;
    [[maybe_unused]] const bool known =
        QueuePolicies::with(choice.queue, [&]<class P>(std::type_identity<P>) {
            run = simulate_queue<RankedQueue<P>>(request, choice, record);
        });
    assert(known);
    return run;
}

} // namespace bursar
