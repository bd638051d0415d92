#pragma once

#include <string>

#include "models/training/step/generic_step.hpp"

#include "scenarios/measurements/measured_speed.hpp"
#include "scenarios/measurements/training_case.hpp"

namespace bursar { inline namespace scenarios {

/// A measured run of a network that no transformer formula describes.
struct GenericCase {
    GenericJob job;
    Cluster cluster;
    const StackProfile* profile{}; ///< never null
    std::string origin;            ///< where the network's constants come from
    MeasuredSpeed speed;
    Assumptions assumptions;
};

/// Maps a row whose `model` starts with the name of a network of the catalogue ("ResNet-50 v1.5"),
/// case and punctuation aside. Throws ModelError for another one, UnknownFact as the cluster does.
GenericCase generic_case(const TrainingMeasurement& row, const KnownWorld& world);

}} // namespace bursar::scenarios
