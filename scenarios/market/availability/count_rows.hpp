#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// A row of a file of counts.
struct CountRow {
    std::int64_t time_ms{};
    std::int32_t nodes{};
    std::uint64_t line{};
    std::uint64_t time_column{};
    std::uint64_t count_column{};
};

/// Puts the rows into the order of their times, and notes what is odd about them: disorder, a third
/// count for one time, a gap, a count ten times its neighbours. All are kept.
void put_in_order(std::vector<CountRow>& rows,
                  const std::string& file,
                  std::vector<Finding>& notes);

}} // namespace bursar::scenarios
