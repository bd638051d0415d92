#pragma once

#include "models/training/step/pass_time.hpp"
#include "models/training/step/rank.hpp"

namespace bursar { inline namespace models {

/// One transformer layer (FORMULAS 4.1 to 4.5, 4.7, 4.10).
LayerTime layer_time(const TrainingRank& rank);

}} // namespace bursar::models
