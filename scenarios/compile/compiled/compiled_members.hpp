#pragma once

#include "sim/plan/plan_members.hpp"

#include "scenarios/compile/compiled/compiled.hpp"

/// Lists the members of what compilation makes beside the plan and its labels, which
/// sim/plan/plan_members.hpp lists. compiled_members_test.cpp checks that none is missing.
namespace bursar { inline namespace scenarios {

template <AnyConst<ModelledGang> Self, class Visit>
void each_member(Self& self, const Visit& visit) {
    visit("plan_class", self.plan_class);
    visit("pool", self.pool);
    visit("gpus", self.gpus);
    visit("run_time", self.run_time);
    visit("model", self.model);
    visit("stack", self.stack);
    visit("range_low", self.range_low);
    visit("range_high", self.range_high);
}

/// All but the plan, its labels, and `trained`, which no run reads.
template <class C>
struct CompiledNotes {
    C& compiled;
};
template <class C>
CompiledNotes(C&) -> CompiledNotes<C>;

template <class C, class Visit>
void each_member(const CompiledNotes<C>& notes, const Visit& visit) {
    visit("drawn_until", notes.compiled.drawn_until);
    visit("scenario_class", notes.compiled.scenario_class);
    visit("modelled", notes.compiled.modelled);
    visit("decisive", notes.compiled.notes.decisive);
    visit("assumed", notes.compiled.notes.assumed);
    visit("unmodelled", notes.compiled.notes.unmodelled);
    visit("warnings", notes.compiled.notes.warnings);
    visit("trace_notes", notes.compiled.trace_notes);
}

}} // namespace bursar::scenarios
