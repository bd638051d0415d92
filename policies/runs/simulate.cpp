#include "policies/runs/simulate.hpp"

#include <cassert>

#include "sim/plan/check_plan.hpp"
#include "sim/record/recorder.hpp"

#include "policies/runs/engine_instances.hpp"

namespace bursar { inline namespace policies {
namespace {

Run record_run(const Plan& plan,
               const JobOrder& order,
               const PolicyChoice& choice,
               Recording wanted,
               Workspace& workspace) {
    assert(!check_plan(plan));
    const EngineChoice resolved = engine_choice(plan, choice);
    wanted.watch = resolved.watch;
    RunRecorder recorder;
    const auto make_recorder = [&]() -> RunRecorder& {
        if (wanted.watcher != nullptr)
            wanted.watcher->begun();
        return recorder = RunRecorder{plan, wanted};
    };
    Run run;
    run.outcome = run_choice<RunRecorder>(plan, order, resolved, workspace, make_recorder);
    run.jobs = recorder.take_jobs(run.outcome.end);
    run.timeline = recorder.take_timeline();
    run.places = recorder.take_places();
    run.paid = recorder.take_paid();
    run.by_time = recorder.take_buckets();
    return run;
}

} // namespace

Run simulate(const Plan& plan,
             const JobOrder& order,
             const PolicyChoice& choice,
             Record wanted,
             Workspace& workspace,
             std::atomic<std::uint64_t>* finished_jobs,
             const std::optional<BucketWidth>& buckets) {
    return record_run(plan,
                      order,
                      choice,
                      {.timeline = wanted == Record::timeline,
                       .finished_jobs = finished_jobs,
                       .buckets = buckets},
                      workspace);
}

Run simulate_watched(const Plan& plan,
                     const JobOrder& order,
                     const PolicyChoice& choice,
                     Workspace& workspace,
                     RunWatcher& watcher) {
    return record_run(plan, order, choice, {.watcher = &watcher}, workspace);
}

Outcome simulate_ledger(const Plan& plan,
                        const JobOrder& order,
                        const PolicyChoice& choice,
                        Workspace& workspace) {
    assert(!check_plan(plan));
    RunRecorder nothing;
    return run_choice<RunRecorder>(
        plan, order, engine_choice(plan, choice), workspace, [&]() -> RunRecorder& {
            return nothing;
        });
}

}} // namespace bursar::policies
