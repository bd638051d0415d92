#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan/plan.hpp"

namespace bursar { inline namespace scenarios {

inline constexpr Duration prediction_lag = 7 * day;

/// GPUs that jobs ask for, hour by hour since the zero, had each begun at its submit and run at
/// reference speed: by the pools that they may use.
struct HourlyDemand {
    std::uint64_t permitted_pools{};
    std::vector<std::int64_t> slot_ms; ///< of each hour, at most as many as the plan may hold
};

/// The demand of all jobs of a plan, by the pools that they may use, those with the fewest first.
/// Demand behind `until` is left out.
[[nodiscard]] std::vector<HourlyDemand> hourly_demand(const Plan& plan, Duration until);

/// The nodes of each pool that an hour of this demand needs, in the mean over the hour: whoever may
/// use the fewest pools first; of owned, reserved, on-demand, then spot pools, each up to its
/// largest number. times: the demand counts so many times.
[[nodiscard]] std::vector<std::uint32_t> nodes_needed(const Plan& plan,
                                                      const std::vector<HourlyDemand>& demand,
                                                      std::size_t hour_since_zero,
                                                      double times);

/// Adds how many nodes pool `pool` has at least: from the eighth day on, hour by hour, as many as
/// the jobs of the same hour a week before needed, `least` at least. A function of the jobs alone,
/// whatever the policies do.
void add_prediction(const Plan& plan,
                    std::size_t pool,
                    std::uint32_t least,
                    double times,
                    Duration until,
                    std::vector<WorldEvent>& events);

}} // namespace bursar::scenarios
