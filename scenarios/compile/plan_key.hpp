#pragma once

#include <cstdint>

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// A hash of what compile() reads of a scenario whose policies have that seed: equal keys compile
/// to one plan. Policies count as far as plans are compiled with them: sharing, estimates,
/// precision, broker and seed; of the others only what they need of jobs. As of
/// Scenario::hash, files of jobs count by their names.
[[nodiscard]] std::uint64_t plan_key(const Scenario& scenario, std::uint64_t seed);

}} // namespace bursar::scenarios
