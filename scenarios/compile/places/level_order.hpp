#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bursar { inline namespace scenarios {

/// Names of levels from narrow to wide, as one list for all pools.
struct LevelOrder {
    std::vector<std::string> names;
    /// Two names that pools order differently, with the pools; meaningful if `names` is empty.
    std::string narrow, wide;
    std::size_t first_pool{}, second_pool{};
};

/// pools: per pool its levels, narrowest first, each with all its names from the inside out. Names
/// of one level keep that order unless another pool separates them in the reverse order. Names that
/// no pool orders keep the order of first use.
LevelOrder level_order(const std::vector<std::vector<std::vector<std::string>>>& pools);

}} // namespace bursar::scenarios
