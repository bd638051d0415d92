#pragma once

#include <cstdint>

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Hash of everything that compile() reads of a scenario whose policies have that seed: equal keys
/// give equal plans. Of the policies, sharing, estimates, precision, broker and seed count; of the
/// others only the properties of jobs that they need. As in Scenario::hash, files of jobs count by
/// their names.
[[nodiscard]] std::uint64_t plan_key(const Scenario& scenario, std::uint64_t seed);

}} // namespace bursar::scenarios
