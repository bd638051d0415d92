#pragma once

#include "models/training/job/cluster.hpp"
#include "models/training/job/training_job.hpp"

#include "scenarios/measurements/stated_settings.hpp"
#include "scenarios/measurements/training_measurement.hpp"

namespace bursar { inline namespace scenarios {

/// Lays a measured run over its GPUs. `job` has model, sequence, precision, attention and recipe;
/// its layout is filled in. Values that the row does not give:
/// - degrees: 1; data: from the rest of the GPUs
/// - micro-batch: the largest power of two up to 16 that divides a replica's batch, leaves a
///   pipeline at least 4 passes per stage, and fits the GPU's memory
/// - passes: from the global batch; else gradient accumulation; else 1
/// - recompute: none, unless that needs a third more than the GPU's memory; then full
/// Throws ModelError when degrees and GPUs contradict each other.
void lay_out(const TrainingMeasurement& row,
             const Cluster& cluster,
             TrainingJob& job,
             Assumptions& assumptions);

}} // namespace bursar::scenarios
