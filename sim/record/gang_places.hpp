#pragma once

#include <cstdint>
#include <vector>

namespace bursar { inline namespace sim {

/// On which nodes gangs were, attempt by attempt in the order in which they began (structure of
/// arrays). 8 bytes per attempt, and 6 for each node of it.
struct GangPlaces {
    std::vector<std::uint32_t> job;  ///< of each attempt
    std::vector<std::uint32_t> end;  ///< its pieces are [end of the one before, end)
    std::vector<std::uint32_t> node; ///< of each piece, in the attempt's pool
    std::vector<std::uint16_t> gpus; ///< that it holds there; a shared one counts whole

    friend bool operator==(const GangPlaces&, const GangPlaces&) = default;
};

}} // namespace bursar::sim
