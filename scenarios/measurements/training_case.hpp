#pragma once

#include <optional>
#include <string>

#include "models/calibration/fit_profile.hpp"

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/catalog/stacks.hpp"
#include "scenarios/measurements/measured_speed.hpp"
#include "scenarios/measurements/stated_settings.hpp"
#include "scenarios/measurements/training_measurement.hpp"

namespace bursar { inline namespace scenarios {

/// What measurements are read against.
struct KnownWorld {
    const Catalogue& gpus;
    const Architectures& architectures;
    const Stacks& stacks;
};

/// A measured transformer run as the models take it.
struct TrainingCase {
    TrainingMeasurement row;
    TrainingJob job;
    Cluster cluster;
    MeasuredPart part{MeasuredPart::step};
    const StackProfile* profile{};      ///< of the stack it ran on, or the nearest; never null
    std::optional<MeasuredSpeed> speed; ///< absent: no speed was published
    Assumptions assumptions;

    [[nodiscard]] StepObservation observation() const {
        return {job, cluster, part, speed->step()};
    }
};

/// Maps a row; every guess is in the case's assumptions. Throws ModelError or UnknownFact for a row
/// that contradicts itself or leaves open what no rule decides.
TrainingCase training_case(const TrainingMeasurement& row, const KnownWorld& world);

/// The GPU of `row`, its published peak taken as the 16-bit one if the catalogue has no such GPU.
Gpu gpu_of_row(const TrainingMeasurement& row, const KnownWorld& world, Assumptions& assumptions);

}} // namespace bursar::scenarios
