#pragma once

#include "models/training/step/rank.hpp"

namespace bursar { inline namespace models {

/// Collectives of one layer's forward pass, as far as compute does not hide them. Each is nothing
/// for a group of one.

/// Two all-reduces of T h numbers, or the same volume as reduce-scatter and all-gather around the
/// sequence-parallel parts; the profile's share hidden (FORMULAS 4.7).
Seconds tensor_comm_time(const TrainingRank& rank);

/// Keys and values of the whole sequence, gathered before the attention core (FORMULAS 4.10).
Seconds context_comm_time(const TrainingRank& rank);

/// Dispatch and combine: one all-to-all each of the tokens of the busiest rank (FORMULAS 4.10).
Seconds expert_comm_time(const TrainingRank& rank);

/// How many collectives that is: each costs the host a launch.
double collectives_per_pass(const TrainingRank& rank);

}} // namespace bursar::models
