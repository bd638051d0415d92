#pragma once

#include "models/training/job/transformer.hpp"

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/measurements/stated_settings.hpp"
#include "scenarios/measurements/training_measurement.hpp"

namespace bursar { inline namespace scenarios {

/// The network of a measured transformer run. Missing values come from the
/// architecture of that name in `known`, then from the rules of the field: heads of 128, a
/// vocabulary of 51200, feed-forward 4 h (gated: 8/3 h, or what params_b leaves), experts by
/// params_b and the model's name ("8x7B", "A3B"). Every guess is added to `assumptions`. Throws
/// ModelError when neither shape nor size is published.
Transformer measured_transformer(const TrainingMeasurement& row,
                                 const Architectures& known,
                                 Assumptions& assumptions);

/// Whether a row is of a network that is no transformer: by its `arch`, and without layers.
bool is_generic_network(std::string_view arch, std::string_view layers);

}} // namespace bursar::scenarios
