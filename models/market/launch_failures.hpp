#pragma once

#include <cstdint>

#include "models/random/philox.hpp"
#include "models/units/host_device.hpp"
#include "models/units/units.hpp"

namespace bursar { inline namespace models {

/// Launches that fail although the provider has nodes. Drawn per (seed, pool, bucket of time): in a
/// bucket all launches fail or none, however many there are.
struct LaunchFailures {
    double share{};        ///< of buckets in which launches fail, 0 .. 1
    Duration bucket{hour}; ///< >= 1 ms; at most 2^32 of them

    /// at_ms: since the scenario's zero, >= 0.
    [[nodiscard]] BURSAR_HD constexpr bool
    fails(std::int64_t at_ms, std::uint32_t pool, std::uint64_t seed) const {
        const RandomStream random{seed, Stream::launch_failures};
        const auto number = static_cast<std::uint32_t>(at_ms / bucket.count());
        return random.uniform(pool, number) < share;
    }

    /// The end of the bucket that holds `at_ms`: where launches fail, the earliest useful retry.
    [[nodiscard]] BURSAR_HD constexpr std::int64_t bucket_end(std::int64_t at_ms) const {
        return (at_ms / bucket.count() + 1) * bucket.count();
    }
};

}} // namespace bursar::models
