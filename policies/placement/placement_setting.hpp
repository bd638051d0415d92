#pragma once

#include <cstdint>
#include <string_view>

#include "sim/engine/setup/run_options.hpp"

#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Whether the placement `name` chooses the node for the rest of a gang by numbers of free GPUs
/// alone.
bool places_by_count(std::string_view name);

/// The placement called `name` with its options, for RunOptions. Precondition: it is registered.
/// seed: of the run, for a placement that draws.
PlacementSetting
placement_setting(std::string_view name, const PolicyOptions& options, std::uint64_t seed = 1);

}} // namespace bursar::policies
