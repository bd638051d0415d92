#pragma once

#include "models/training/job/stack_profile.hpp"
#include "models/training/job/transformer.hpp"

#include "reports/answer/answer.hpp"

namespace bursar { inline namespace tools {

/// How far step times of that network by a profile are to be trusted, as a value of an answer.
[[nodiscard]] AnswerValue held_out_error(const StackProfile& profile, const Transformer& model);

/// The same of a network that no profile was held against.
[[nodiscard]] AnswerValue untested_error(const StackProfile& profile);

}} // namespace bursar::tools
