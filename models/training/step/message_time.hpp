#pragma once

#include "models/training/step/rank.hpp"

namespace bursar { inline namespace models {

/// One message between neighbouring stages: what of it is not hidden, and the host's part. Nothing
/// without a pipeline. The slowest boundary counts: between nodes as soon as one is.
///
/// Each tensor rank sends its share; without sequence parallel the receivers then gather the whole
/// inside their node (scatter/gather, Narayanan et al. 2021 section 4.1).
Seconds message_time(const TrainingRank& rank);

}} // namespace bursar::models
