#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "models/units/units.hpp"

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// A series of a file. Its first value holds before it begins, its last one after it ends.
struct SeriesOfFile {
    std::string name;                                 ///< of the file
    std::string value;                                ///< what its values are: "price"
    std::int64_t first_ms{};                          ///< on the file's clock
    std::int64_t end_ms{};                            ///< end of the file's series
    std::function<std::string(std::int64_t)> instant; ///< on the file's clock, in words
    std::string remedy;                               ///< may be empty
};

/// A warning, without a place, if the first and the last value hold for more than half of a run. It
/// gives begin and end of the file and of the run, and the share of the run. zero_ms: begin of the
/// run on the file's clock.
[[nodiscard]] std::optional<Finding>
uncovered(const SeriesOfFile& series, std::int64_t zero_ms, Duration end);

}} // namespace bursar::scenarios
