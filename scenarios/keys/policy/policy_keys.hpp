#pragma once

#include "policies/choice/policy_choice.hpp"

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/known_names.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of `policy`: one for each policy slot that has policies; options are read as the
/// policies declare them.
Table<PolicyChoice> policy_keys(const KnownNames& names);

}} // namespace bursar::scenarios
