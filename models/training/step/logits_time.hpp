#pragma once

#include "models/training/step/layer_time.hpp"

namespace bursar { inline namespace models {

/// The loss on the last stage: the product with the vocabulary, softmax and cross-entropy over
/// logits divided by tensor parallel, and the host's work per micro-batch outside the layers; never
/// recomputed.
LayerTime logits_time(const TrainingRank& rank);

}} // namespace bursar::models
