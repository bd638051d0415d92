#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/queues/tenant_use.hpp"
#include "sim/plan/plan.hpp"

namespace bursar { inline namespace policies {

/// How many times slower a job would run on its own share of the fleet.
struct FinishTimeRule {
    static constexpr OrderTraits traits{.by = OrderBy::ratio};

    static constexpr unsigned stretch_bits = 16; ///< of the fraction of a stretch
    static constexpr std::uint64_t max_stretch = (std::uint64_t{1} << 36U) - 1;

    /// Isolated run time over run time, in units of 2^-16, truncated; a million at most.
    [[nodiscard]] BURSAR_HD std::uint64_t stretch(const JobShape& shape,
                                                  std::uint64_t weight,
                                                  std::uint64_t weight_in_system,
                                                  const FleetTotals& totals) const {
        constexpr std::uint64_t one = std::uint64_t{1} << stretch_bits;
        const uint128 wanted =
            (uint128{static_cast<std::uint64_t>(shape.slots())} * weight_in_system) << stretch_bits;
        const uint128 ratio = wanted / (uint128{totals.slots} * weight);
        if (ratio < one)
            return one;
        return ratio < max_stretch ? static_cast<std::uint64_t>(ratio) : max_stretch;
    }

    /// The total weight in the system at which a gang's share equals its size.
    [[nodiscard]] BURSAR_HD double
    fair_weight(const JobShape& shape, std::uint64_t weight, const FleetTotals& totals) const {
        return static_cast<double>(totals.slots) * static_cast<double>(weight) /
               static_cast<double>(shape.slots());
    }
    /// Run time over isolated run time, 0 to 1: 1 / stretch, without its rounding (one part in
    /// 2^16). per_weight: 1 / the weight in the system.
    [[nodiscard]] BURSAR_HD double rough_speed(double fair_weight, double per_weight) const {
        constexpr double least = static_cast<double>(std::uint64_t{1} << stretch_bits) /
                                 static_cast<double>(max_stretch);
        const double speed = fair_weight * per_weight;
        const double capped = speed < 1.0 ? speed : 1.0;
        return capped > least ? capped : least;
    }
};

}} // namespace bursar::policies
