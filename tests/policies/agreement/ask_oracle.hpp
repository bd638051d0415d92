#pragma once

#include "sim/plan/plan.hpp"

#include "policies/choice/policy_choice.hpp"

#include "tests/oracle/naive_job.hpp"

namespace bursar::test {

/// What the naive scheduler makes of a plan. Of orders that it does not know it takes the functor's
/// keys of the jobs as they come. Throws std::out_of_range for any other policy that it has no rule
/// for.
oracle::History ask_oracle(const Plan& plan, const PolicyChoice& choice);

} // namespace bursar::test
