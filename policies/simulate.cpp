#include "policies/simulate.hpp"

#include "sim/record/recorder.hpp"

#include "policies/engine_instances.hpp"

namespace bursar {

Run simulate(const Plan& plan,
             const JobOrder& order,
             const PolicyChoice& choice,
             Record wanted,
             Workspace& workspace,
             std::atomic<std::uint64_t>* finished_jobs) {
    const EngineChoice resolved = engine_choice(plan, choice);
    Run run;
    if (wanted == Record::ledger) {
        NullRecorder none;
        run.outcome = run_choice<OneLane, NullRecorder>(
            plan, order, resolved, workspace, [&]() -> auto& { return none; });
        return run;
    }
    const bool keeps_timeline = wanted == Record::timeline;
    TimelineRecorder recorder{plan};
    run.outcome =
        run_choice<OneLane, TimelineRecorder>(plan, order, resolved, workspace, [&]() -> auto& {
            return recorder = TimelineRecorder{plan, finished_jobs, resolved.watch, keeps_timeline};
        });
    run.jobs = recorder.take_jobs(run.outcome.end);
    run.timeline = recorder.take_timeline();
    return run;
}

} // namespace bursar
