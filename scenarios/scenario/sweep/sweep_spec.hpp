#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scenarios/variants/variants.hpp"

namespace bursar { inline namespace scenarios {

/// What `sweep` of a scenario asks for: every combination of the axes' values, each with every
/// seed.
struct SweepSpec {
    std::vector<Axis> axes;                      ///< in the order of writing
    std::vector<std::uint64_t> seeds{};          ///< those; empty: `num_seeds` from the first on
    std::optional<std::int64_t> num_seeds{};     ///< >= 1; absent: as many as the scenario repeats
    std::optional<std::int64_t> max_scenarios{}; ///< >= 1; absent: the program's limit
};

}} // namespace bursar::scenarios
