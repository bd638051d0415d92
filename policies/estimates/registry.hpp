#pragma once

#include "policies/describe/policy_list.hpp"
#include "policies/estimates/exact.hpp"
#include "policies/estimates/noisy.hpp"
#include "policies/estimates/user.hpp"

namespace bursar { inline namespace policies {

/// Every source of estimated run times, in the order of `bursar policies`. This is the only list.
/// Plans are compiled with it; orders by run time and backfill use the estimates.
using EstimatePolicies = PolicyList<ExactEstimates, UserEstimates, NoisyEstimates>;

}} // namespace bursar::policies
