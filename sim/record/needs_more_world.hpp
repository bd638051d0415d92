#pragma once

#include "models/units/units.hpp"

#include "sim/record/outcome.hpp"

namespace bursar { inline namespace sim {

/// Whether more of a world that is drawn to `drawn_to` could change a run: it goes on behind that,
/// or stopped where nothing happened any more. closes: it ends though jobs wait.
[[nodiscard]] inline bool
needs_more_world(const Outcome& outcome, Duration drawn_to, bool closes = false) {
    return outcome.end >= drawn_to || (outcome.num_queued_at_end > 0 && !closes) ||
           outcome.status == RunStatus::horizon_exceeded;
}

}} // namespace bursar::sim
