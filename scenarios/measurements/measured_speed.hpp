#pragma once

#include <optional>
#include <string>

#include "models/training/job/training_job.hpp"
#include "models/units/physics.hpp"

#include "scenarios/measurements/training_measurement.hpp"

namespace bursar { inline namespace scenarios {

/// How fast a run was, in the figure its source published.
struct MeasuredSpeed {
    std::string quantity; ///< the column: "step_s", "tokens_per_s_per_gpu", ...
    double measured{};    ///< > 0
    /// What one step counts for in a figure per second; absent: the figure is the step time.
    std::optional<double> per_step;

    /// The published figure of a step that takes `step`.
    [[nodiscard]] double of(Seconds step) const {
        return per_step ? *per_step / step.count() : step.count();
    }
    /// The step time that the published figure means.
    [[nodiscard]] Seconds step() const {
        return Seconds{per_step ? *per_step / measured : measured};
    }
};

/// The most direct figure the row has: step time, samples, tokens, FLOP, MFU, HFU, in this order;
/// absent when it has none. FLOP and utilisations are counted as `flop_convention` says: "causal",
/// "6N", "hardware" or "recompute counted"; else model FLOP with the full attention square.
/// peak: dense, of the row's precision; used where the row has no peak_tflops.
std::optional<MeasuredSpeed> measured_speed(const TrainingMeasurement& row,
                                            const TrainingJob& job,
                                            std::optional<FlopRate> peak);

}} // namespace bursar::scenarios
