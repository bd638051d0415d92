#pragma once

#include "sim/record/metrics.hpp"

namespace bursar { inline namespace sim {

/// What the places of the measured jobs changed about their time at work (LevelEffect); nothing
/// where the plan has one locality level.
[[nodiscard]] std::optional<LevelEffect>
level_effect(const Plan& plan, const JobRows& rows, Duration end);

}} // namespace bursar::sim
