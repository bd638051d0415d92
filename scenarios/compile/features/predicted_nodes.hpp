#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan/plan.hpp"

namespace bursar { inline namespace scenarios {

inline constexpr Duration prediction_lag = 7 * day;

/// GPU time that jobs need in each hour since the zero, if each ran at reference speed from its
/// submit on. One entry covers the jobs that may use the same pools.
struct HourlyDemand {
    std::uint64_t permitted_pools{};
    std::vector<std::int64_t> slot_ms; ///< of each hour
};

/// The demand of all jobs of a plan, by the set of pools that they may use, smallest sets first.
/// Demand past `until` is left out.
[[nodiscard]] std::vector<HourlyDemand> hourly_demand(const Plan& plan, Duration until);

/// Nodes of each pool that an hour of this demand needs, on average over the hour. Demand with the
/// fewest permitted pools is placed first: on owned, reserved, on-demand, then spot pools, each up
/// to its largest number of nodes. times: factor on the demand.
[[nodiscard]] std::vector<std::uint32_t> nodes_needed(const Plan& plan,
                                                      const std::vector<HourlyDemand>& demand,
                                                      std::size_t hour_since_zero,
                                                      double times);

/// Adds events that set the least number of nodes of pool `pool`, hour by hour from the eighth day
/// on. The number is what the jobs of the same hour a week before needed, at least `least`. It
/// depends on the jobs alone, not on policies.
void add_prediction(const Plan& plan,
                    std::size_t pool,
                    std::uint32_t least,
                    double times,
                    Duration until,
                    std::vector<WorldEvent>& events);

}} // namespace bursar::scenarios
