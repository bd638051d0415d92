#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/training/grid/grid_summary.hpp"
#include "models/training/grid/layout_grid.hpp"

#include "reports/answer/answer.hpp"

namespace bursar { inline namespace tools {

/// Who works a grid out.
enum class GridDevice : std::uint8_t {
    either, ///< a GPU where there is one and enough to do, else the CPU
    cpu,
    gpu,
};

/// What `bursar model grid` is asked.
struct GridQuestion {
    GridAxes axes;
    GridMetric metric{GridMetric::cost};
    std::size_t keep{10}; ///< of each model
    GridDevice device{GridDevice::either};
    std::vector<std::string> warnings; ///< of values that were left out
    std::vector<std::string> sources;  ///< of the networks
};

/// The best runs of each model, and those that no other of it beats in both time and cost. Throws
/// ModelError where nothing fits, UnknownFact where a GPU lacks a fact, GpuError where a GPU is
/// asked for that is not there or fails.
[[nodiscard]] Answer grid_answer(const GridQuestion& question);

}} // namespace bursar::tools
