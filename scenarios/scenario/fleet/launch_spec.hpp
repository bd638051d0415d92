#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/market/launch_failures.hpp"
#include "models/units/units.hpp"

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// Launches that fail although nodes can be had: key `launch_failures` of a pool.
struct LaunchFailureSpec {
    LaunchFailures law;
    Duration retry{30 * second};     ///< until the next try
    Duration max_retry{15 * minute}; ///< it doubles up to here
};

/// Nodes kept aside for those that go out of service: key `spares` of a pool.
struct SpareSpec {
    std::int64_t nodes{};
    Duration takeover{}; ///< until one works in the place of another
};

/// The most nodes that several pools may have together: a row of `quotas`. `pools` or `region`.
struct QuotaSpec {
    std::vector<std::string> pools;
    std::string region;
    std::int64_t nodes{};
    Place place{};
};

}} // namespace bursar::scenarios
