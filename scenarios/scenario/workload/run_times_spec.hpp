#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "models/gpu/gpu.hpp"

#include "scenarios/throughputs/throughput_table.hpp"

namespace bursar { inline namespace scenarios {

/// Which value of a SpeedRange is taken.
enum class RangeValue : std::uint8_t { low, likely, high };

/// On what the run times that the workload states were measured, and what is known of their jobs on
/// other GPUs.
struct RunTimesSpec {
    std::string gpu; ///< the catalogue's own name, aliases resolved; empty: nobody says
    std::optional<Precision> precision{};              ///< absent: nobody says
    std::shared_ptr<const ThroughputTable> measured{}; ///< null: nothing
    RangeValue range{RangeValue::likely};
};

}} // namespace bursar::scenarios
