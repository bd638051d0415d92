#pragma once

#include "models/training/step/kernel_time.hpp"
#include "models/training/step/rank.hpp"

namespace bursar { inline namespace models {

/// One transformer layer (FORMULAS 4.1 to 4.5, 4.7, 4.10).
LayerTime layer_time(const TrainingRank& rank);

/// The loss on the last stage: the product with the vocabulary, softmax and cross-entropy over
/// logits divided by tensor parallel, and the host's work per micro-batch outside the layers; never
/// recomputed.
LayerTime logits_time(const TrainingRank& rank);

}} // namespace bursar::models
