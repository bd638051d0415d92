#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan/plan.hpp"

namespace bursar { inline namespace scenarios {

inline constexpr Duration prediction_lag = 7 * day;

/// GPU time that jobs ask for, hour by hour since the zero, if each began at its submit and ran at
/// reference speed. Of the jobs that may use the same pools.
struct HourlyDemand {
    std::uint64_t permitted_pools{};
    std::vector<std::int64_t> slot_ms; ///< of each hour
};

/// The demand of all jobs of a plan, by the pools that they may use, those with the fewest first.
/// Demand past `until` is left out.
[[nodiscard]] std::vector<HourlyDemand> hourly_demand(const Plan& plan, Duration until);

/// The nodes of each pool that an hour of this demand needs, in the mean over the hour. Demand with
/// the fewest permitted pools is placed first: on owned, reserved, on-demand, then spot pools, each
/// up to its largest number of nodes. times: factor on the demand.
[[nodiscard]] std::vector<std::uint32_t> nodes_needed(const Plan& plan,
                                                      const std::vector<HourlyDemand>& demand,
                                                      std::size_t hour_since_zero,
                                                      double times);

/// Adds events for the least number of nodes of pool `pool`. From the eighth day on, hour by hour,
/// it is what the jobs of the same hour a week before needed, and never below `least`. It depends
/// on the jobs alone, not on policies.
void add_prediction(const Plan& plan,
                    std::size_t pool,
                    std::uint32_t least,
                    double times,
                    Duration until,
                    std::vector<WorldEvent>& events);

}} // namespace bursar::scenarios
