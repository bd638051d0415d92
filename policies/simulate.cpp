#include "policies/simulate.hpp"

#include "sim/record/recorder.hpp"

#include "policies/engine_instances.hpp"

namespace bursar::inline policies {
namespace {

Run record_run(const Plan& plan,
               const JobOrder& order,
               const PolicyChoice& choice,
               Record wanted,
               Workspace& workspace,
               std::atomic<std::uint64_t>* finished_jobs,
               RunWatcher* watcher) {
    const EngineChoice resolved = engine_choice(plan, choice);
    TimelineRecorder recorder{plan};
    const auto make_recorder = [&]() -> TimelineRecorder& {
        if (watcher != nullptr)
            watcher->begun();
        return recorder = TimelineRecorder{
                   plan, finished_jobs, resolved.watch, wanted == Record::timeline, watcher};
    };
    Run run;
    run.outcome =
        run_choice<OneLane, TimelineRecorder>(plan, order, resolved, workspace, make_recorder);
    run.jobs = recorder.take_jobs(run.outcome.end);
    run.timeline = recorder.take_timeline();
    return run;
}

} // namespace

Run simulate(const Plan& plan,
             const JobOrder& order,
             const PolicyChoice& choice,
             Record wanted,
             Workspace& workspace,
             std::atomic<std::uint64_t>* finished_jobs) {
    return record_run(plan, order, choice, wanted, workspace, finished_jobs, nullptr);
}

Run simulate_watched(const Plan& plan,
                     const JobOrder& order,
                     const PolicyChoice& choice,
                     Workspace& workspace,
                     RunWatcher& watcher) {
    return record_run(plan, order, choice, Record::jobs, workspace, nullptr, &watcher);
}

} // namespace bursar::inline policies
