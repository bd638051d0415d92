#pragma once

#include "sim/record/recorder.hpp"
#include "sim/team/team.hpp"

#include "policies/engine_types.hpp"

namespace bursar::inline policies {

/// One run of `plan` under `choice`; make_recorder as for run_plan. Instances of the engine take
/// long to compile: each kind of capacity has a source of its own for each Team and Recorder
/// (policies/instances; tests have theirs).
template <class Team, class Recorder>
Outcome run_choice(const Plan& plan,
                   const JobOrder& order,
                   const EngineChoice& choice,
                   Workspace& workspace,
                   const std::function<Recorder&()>& make_recorder) {
    switch (choice.capacity) {
    case CapacityKind::count:
        return run_choice_on<CapacityKind::count, Team, Recorder>(
            plan, order, choice, workspace, make_recorder);
    case CapacityKind::plain_nodes:
        return run_choice_on<CapacityKind::plain_nodes, Team, Recorder>(
            plan, order, choice, workspace, make_recorder);
    case CapacityKind::full_nodes:
        return run_choice_on<CapacityKind::full_nodes, Team, Recorder>(
            plan, order, choice, workspace, make_recorder);
    }
    return {};
}

#define BURSAR_ENGINE_INSTANCE(kind, Team, Recorder)                                               \
    template Outcome run_choice_on<CapacityKind::kind, Team, Recorder>(                            \
        const Plan&,                                                                               \
        const JobOrder&,                                                                           \
        const EngineChoice&,                                                                       \
        Workspace&,                                                                                \
        const std::function<Recorder&()>&)

extern BURSAR_ENGINE_INSTANCE(count, OneLane, RunRecorder);
extern BURSAR_ENGINE_INSTANCE(plain_nodes, OneLane, RunRecorder);
extern BURSAR_ENGINE_INSTANCE(full_nodes, OneLane, RunRecorder);

} // namespace bursar::inline policies
