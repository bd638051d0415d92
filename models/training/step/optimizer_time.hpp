#pragma once

#include "models/training/memory/rank_parameters.hpp"
#include "models/training/step/rank.hpp"

namespace bursar { inline namespace models {

/// Time of one update of the weights this rank owns (FORMULAS 4.11, 4.9).
///
/// On the GPU: parameters k_o / memory bandwidth. Offloaded: gradients down and weights up over the
/// host link, and Adam on the node's processors, which its GPUs share.
Seconds optimizer_time(const TrainingRank& rank, const RankParameters& held);

}} // namespace bursar::models
