#pragma once

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/fleet/schedule_spec.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of a schedule of nodes.
Table<ScheduleSpec> schedule_keys();

}} // namespace bursar::scenarios
