#pragma once

#include "policies/describe/policy_list.hpp"
#include "policies/estimates/exact.hpp"
#include "policies/estimates/noisy.hpp"
#include "policies/estimates/user.hpp"

namespace bursar { inline namespace policies {

/// Every way to believe how long jobs run, in the order in which they are listed: the only list.
/// Plans are compiled with it; orders by run time and backfill go by what is believed.
using EstimatePolicies = PolicyList<ExactEstimates, UserEstimates, NoisyEstimates>;

}} // namespace bursar::policies
