#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "models/units/units.hpp"

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// A series of a file: its first value holds before it begins, its last one after its end.
struct SeriesOfFile {
    std::string name;                                 ///< of the file
    std::string value;                                ///< what it holds: "price"
    std::int64_t first_ms{};                          ///< on the file's clock
    std::int64_t end_ms{};                            ///< until when the file speaks
    std::function<std::string(std::int64_t)> instant; ///< on the file's clock, in words
    std::string remedy;                               ///< may be empty
};

/// A warning, without a place, where the first and the last value hold for more than half of a run:
/// from and to when file and run are, and for how much of the run. zero_ms: the run's begin on the
/// file's clock.
[[nodiscard]] std::optional<Finding>
uncovered(const SeriesOfFile& series, std::int64_t zero_ms, Duration end);

}} // namespace bursar::scenarios
