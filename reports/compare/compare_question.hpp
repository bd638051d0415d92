#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reports/goal/goal.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {

enum class CompareDetail : std::uint8_t {
    full,  ///< the overview, then each variant against the base
    brief, ///< a line per variant: some metrics, and their differences to the base
};

/// What is asked of a comparison.
struct CompareQuestion {
    std::vector<const ScalarRow*> metrics{};   ///< in the order in which they are shown, each once;
                                               ///< empty: the main ones, and all of them in files
                                               ///< for programs
    CompareDetail detail{CompareDetail::full}; ///< for people; files for programs have all of it
    std::optional<Goal> goal{};
};

}} // namespace bursar::reports
