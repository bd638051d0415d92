#pragma once

#include <cstdint>

namespace bursar { inline namespace sim {

/// The most nodes that several pools may have launched together: what a provider allows, or a
/// region.
struct PlanQuota {
    std::uint64_t pools{}; ///< bit p: pool p counts
    std::uint32_t max_nodes{};
};

}} // namespace bursar::sim
