#pragma once

#include "sim/record/recorder.hpp"

#include "policies/runs/engine_types.hpp"

namespace bursar { inline namespace policies {

/// One run of `plan` under `choice`; make_recorder as for run_plan. Instances of the engine take
/// long to compile, so each kind of capacity has a separate source (policies/instances): for the
/// host, and for a device, which serves batches (policies/batch).
template <class Recorder>
Outcome run_choice(const Plan& plan,
                   const JobOrder& order,
                   const EngineChoice& choice,
                   Workspace& workspace,
                   const std::function<Recorder&()>& make_recorder) {
    switch (choice.capacity) {
    case CapacityKind::count:
        return run_choice_on<CapacityKind::count, Recorder>(
            plan, order, choice, workspace, make_recorder);
    case CapacityKind::plain_nodes:
        return run_choice_on<CapacityKind::plain_nodes, Recorder>(
            plan, order, choice, workspace, make_recorder);
    case CapacityKind::full_nodes:
        return run_choice_on<CapacityKind::full_nodes, Recorder>(
            plan, order, choice, workspace, make_recorder);
    }
    return {};
}

#define BURSAR_ENGINE_INSTANCE(kind, Recorder)                                                     \
    template Outcome run_choice_on<CapacityKind::kind, Recorder>(                                  \
        const Plan&,                                                                               \
        const JobOrder&,                                                                           \
        const EngineChoice&,                                                                       \
        Workspace&,                                                                                \
        const std::function<Recorder&()>&)

extern BURSAR_ENGINE_INSTANCE(count, RunRecorder);
extern BURSAR_ENGINE_INSTANCE(plain_nodes, RunRecorder);
extern BURSAR_ENGINE_INSTANCE(full_nodes, RunRecorder);

}} // namespace bursar::policies
