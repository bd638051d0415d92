#pragma once

#include <optional>
#include <string>

#include "models/calibration/fit_profile.hpp"
#include "models/training/job/training_job.hpp"
#include "models/training/memory/memory_overheads.hpp"
#include "models/training/step/generic_step.hpp"
#include "models/units/physics.hpp"

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/catalog/stacks.hpp"
#include "scenarios/measurements/stated_settings.hpp"
#include "scenarios/measurements/training_measurement.hpp"

namespace bursar { inline namespace scenarios {

/// Speed of a run, in the unit that its source published.
struct MeasuredSpeed {
    std::string quantity; ///< the column: "step_s", "tokens_per_s_per_gpu", ...
    double measured{};    ///< > 0
    /// Amount of one step in the published unit; absent: the figure is the step time.
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

/// The most direct speed that the row has: step time, samples, tokens, FLOP, MFU, HFU, in this
/// order; absent without any. FLOP and utilisations are counted as `flop_convention` says:
/// "causal", "6N", "hardware" or "recompute counted"; else model FLOP with the full attention
/// square. peak: dense, of the row's precision; used if the row has no peak_tflops.
std::optional<MeasuredSpeed> measured_speed(const TrainingMeasurement& row,
                                            const TrainingJob& job,
                                            std::optional<FlopRate> peak);

/// Catalogues for reading measurements.
struct KnownWorld {
    const Catalogue& gpus;
    const Architectures& architectures;
    const Stacks& stacks;
};

/// A measured transformer run, as input of the models.
struct TrainingCase {
    TrainingMeasurement row;
    TrainingJob job;
    Cluster cluster;
    MeasuredPart part{MeasuredPart::step};
    const StackProfile* profile{}; ///< of the stack it ran on, or the nearest; never null
    bool is_stack_known{};         ///< whether the profile is of its stack
    MemoryOverheads overheads;
    std::optional<MeasuredSpeed> speed; ///< absent: no speed was published
    Assumptions assumptions;

    [[nodiscard]] StepObservation observation() const {
        return {job, cluster, part, speed->step()};
    }
};

/// Maps a row; every guess is in the case's assumptions. Throws ModelError or UnknownFact for a row
/// that contradicts itself or lacks a value that no rule gives.
TrainingCase training_case(const TrainingMeasurement& row, const KnownWorld& world);

/// The GPU of `row`, its published peak taken as the 16-bit one if the catalogue has no such GPU.
Gpu gpu_of_row(const TrainingMeasurement& row, const KnownWorld& world, Assumptions& assumptions);

/// A measured run of a network that no transformer formula describes.
struct GenericCase {
    GenericJob job;
    Cluster cluster;
    const StackProfile* profile{}; ///< never null
    std::string origin;            ///< source of the network's constants
    MeasuredSpeed speed;
    Assumptions assumptions;
};

/// Maps a row whose `model` starts with the name of a catalogue network ("ResNet-50 v1.5"), case
/// and punctuation ignored. Throws ModelError for another one, UnknownFact as the cluster does.
GenericCase generic_case(const TrainingMeasurement& row, const KnownWorld& world);

}} // namespace bursar::scenarios
