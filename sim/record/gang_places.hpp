#pragma once

#include <cstdint>
#include <vector>

namespace bursar { inline namespace sim {

/// The nodes of each attempt's gang, in the order in which attempts began (structure of arrays). 8
/// bytes per attempt, and 6 for each node of it.
struct GangPlaces {
    std::vector<std::uint32_t> job;  ///< of each attempt
    std::vector<std::uint32_t> end;  ///< its pieces are [end of the one before, end)
    std::vector<std::uint32_t> node; ///< of each piece, in the attempt's pool
    std::vector<std::uint16_t> gpus; ///< held there; a shared GPU counts as one

    friend bool operator==(const GangPlaces&, const GangPlaces&) = default;
};

}} // namespace bursar::sim
