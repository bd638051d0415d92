#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/plan/plan.hpp"

#include "policies/choice/policy_choice.hpp"

namespace bursar { inline namespace policies {

/// Most rounds that a run may process one by one: over a minute of computing.
inline constexpr std::int64_t max_rounds = 1'000'000'000;

/// Why a run might need more rounds than that, as a sentence; absent: it cannot. Rounds in which
/// nothing changes are skipped, except where jobs take turns at every round or a preemption may pay
/// at a later one.
[[nodiscard]] std::optional<std::string> round_limit(const Plan& plan, const PolicyChoice& choice);

}} // namespace bursar::policies
