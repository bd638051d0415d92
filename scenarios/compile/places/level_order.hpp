#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bursar { inline namespace scenarios {

/// Names of levels from narrow to wide, as one list for all pools.
struct LevelOrder {
    std::vector<std::string> names;
    /// Two names that lie one way round in one pool and the other way in another, with the pools;
    /// meaningful where `names` is empty.
    std::string narrow, wide;
    std::size_t first_pool{}, second_pool{};
};

/// pools: per pool its levels, narrowest first, each with all its names from the inside out. Names
/// of one level keep that order where no pool has them apart the other way round; those that no
/// pool orders, the order of first sight.
LevelOrder level_order(const std::vector<std::vector<std::vector<std::string>>>& pools);

}} // namespace bursar::scenarios
