#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/plan/plan.hpp"

#include "policies/choice/policy_choice.hpp"

namespace bursar { inline namespace policies {

/// As many rounds as a run may hold one by one: a minute's work and more.
inline constexpr std::int64_t max_rounds = 1'000'000'000;

/// Why a run may hold too many rounds, in words; absent: it may not. Rounds in which nothing
/// changes are passed over, but not where jobs take turns at every round, or a stop may pay later.
[[nodiscard]] std::optional<std::string> round_limit(const Plan& plan, const PolicyChoice& choice);

}} // namespace bursar::policies
