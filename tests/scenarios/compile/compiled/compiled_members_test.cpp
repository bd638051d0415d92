#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/compile/compiled/compiled_members.hpp"

namespace bursar::test::compiled_members_test {
namespace {

template <class T>
std::vector<const void*> listed_of(const T& value) {
    std::vector<const void*> listed;
    each_member(value, [&](std::string_view, const auto& member) { listed.push_back(&member); });
    return listed;
}

} // namespace

TEST_CASE("the lists have every member of Compiled besides plan and labels") {
    const Compiled compiled;
    const auto& [plan, labels, drawn_until, scenario_class, trained, modelled, notes, trace_notes] =
        compiled;
    const auto& [warnings, decisive, assumed, unmodelled] = notes;
    CHECK(listed_of(CompiledNotes{compiled}) == std::vector<const void*>{&drawn_until,
                                                                         &scenario_class,
                                                                         &modelled,
                                                                         &decisive,
                                                                         &assumed,
                                                                         &unmodelled,
                                                                         &warnings,
                                                                         &trace_notes});
    const ModelledGang gang;
    const auto& [plan_class, pool, gpus, run_time, model, stack, low, high] = gang;
    CHECK(listed_of(gang) ==
          std::vector<const void*>{
              &plan_class, &pool, &gpus, &run_time, &model, &stack, &low, &high});
}

} // namespace bursar::test::compiled_members_test
