#pragma once

#include "policies/policy_choice.hpp"

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/known_names.hpp"

namespace bursar {

/// The keys of `policy`: a slot each, read by what the policies of the slot declare of themselves.
/// Slots without policies have no key.
Table<PolicyChoice> policy_keys(const KnownNames& names);

} // namespace bursar
