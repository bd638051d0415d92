#pragma once

#include <cstdint>

#include "models/training/memory/memory.hpp"

#include "scenarios/measurements/stated_settings.hpp"
#include "scenarios/measurements/training_measurement.hpp"

namespace bursar { inline namespace scenarios {

/// What a published figure of memory counts.
enum class MemoryCount : std::uint8_t {
    allocated, ///< tensors
    reserved,  ///< what the framework's allocator holds for them
    whole      ///< with the driver's context and communicators: what a monitor of the GPU shows
};

/// A row's memory figure: what it counts, and in which unit.
struct MeasuredMemory {
    MemoryCount count{MemoryCount::whole};
    double unit{bytes_per_gb}; ///< bytes

    /// The figure that the model gives for it.
    [[nodiscard]] double of(const MemoryUse& use) const;
};

/// By the row's notes ("max reserved GiB"); else as its stack prints it; else the whole GPU's, in
/// GB, which is added to `assumptions`.
MeasuredMemory measured_memory(const TrainingMeasurement& row, Assumptions& assumptions);

}} // namespace bursar::scenarios
