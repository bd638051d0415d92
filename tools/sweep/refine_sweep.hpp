#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "reports/sweep/sweep_answer.hpp"

#include "tools/sweep/sweep_plan.hpp"
#include "tools/sweep/sweep_store.hpp"

namespace bursar { inline namespace tools {

inline constexpr std::uint64_t max_refinements = 10;

/// Refining looks for a better answer between the values of the grid. Each round adds the values
/// halfway between the answer and its neighbours, on every axis of numbers. Then the scenarios
/// around the answer are run: on each of these axes its own value, or one of the two next to it.
/// If one of them is the answer, those around it are run, until the answer is the best of those
/// around it. Other axes keep the answer's value.
struct Refining {
    std::uint64_t times{};           ///< rounds, >= 1
    const SweepQuestion& question;   ///< says what the answer is
    std::function<void()> make_runs; ///< makes the runs of the plan that the store does not have
};

/// Throws ScenarioError if the sweep has no axis that can be refined, too many, or none with a
/// value between two others, and if `times` rounds may take it to more runs than its limit.
void check_refinable(const SweepPlan& plan, std::uint64_t times);

/// The most scenarios that `times` rounds add: those of all values that they may add, at most 2^63.
[[nodiscard]] std::uint64_t max_refined_scenarios(const SweepPlan& plan, std::uint64_t times);

/// Adds the scenarios that the sweep in that folder was refined by, if it is the same sweep.
void add_refined_of(const std::filesystem::path& folder, SweepPlan& plan);

/// Refines a sweep whose planned runs have ended. The scenarios that it adds depend on the results
/// of the grid alone, not on scenarios that an earlier process added. Returns why it added none;
/// empty: it added some. Precondition: check_refinable().
std::string_view refine_sweep(SweepPlan& plan, SweepStore& store, const Refining& how);

}} // namespace bursar::tools
