#pragma once

#include "models/training/job/cluster.hpp"

#include "scenarios/measurements/stated_settings.hpp"
#include "scenarios/measurements/training_measurement.hpp"

namespace bursar { inline namespace scenarios {

/// The machines of a measured run: nodes of 8 where not published, network between nodes as
/// published or as usual for the generation of the GPU.
Cluster measured_cluster(const TrainingMeasurement& row, Gpu gpu, Assumptions& assumptions);

}} // namespace bursar::scenarios
