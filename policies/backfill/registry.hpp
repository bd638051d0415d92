#pragma once

#include "policies/backfill/conservative.hpp"
#include "policies/backfill/easy.hpp"
#include "policies/backfill/none.hpp"
#include "policies/describe/policy_list.hpp"

namespace bursar { inline namespace policies {

/// Every kind of backfill, in the order of `bursar policies`. This is the only list.
using BackfillPolicies = PolicyList<NoBackfill, EasyBackfill, ConservativeBackfill>;

}} // namespace bursar::policies
