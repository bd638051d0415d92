#pragma once

#include "models/training/stack_profile.hpp"

#include "reports/answer/answer.hpp"

namespace bursar::inline tools {

/// How far the step times of a profile are to be trusted, as a value of an answer.
[[nodiscard]] AnswerValue held_out_error(const StackProfile& profile);

} // namespace bursar::inline tools
