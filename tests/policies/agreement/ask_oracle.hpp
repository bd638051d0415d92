#pragma once

#include "sim/plan/plan.hpp"

#include "policies/choice/policy_choice.hpp"

#include "tests/oracle/naive_job.hpp"

namespace bursar::test {

/// The naive scheduler's result for a plan. For orders without a rule it uses the functor's keys at
/// arrival. Throws std::out_of_range for any other policy without a rule.
oracle::History ask_oracle(const Plan& plan, const PolicyChoice& choice);

} // namespace bursar::test
