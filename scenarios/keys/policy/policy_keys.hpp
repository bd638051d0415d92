#pragma once

#include "policies/choice/policy_choice.hpp"

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/known_names.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of `policy`: a policy slot each, read by what its policies declare of themselves.
/// Policy slots without policies have no key.
Table<PolicyChoice> policy_keys(const KnownNames& names);

}} // namespace bursar::scenarios
