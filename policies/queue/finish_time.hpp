#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/queues/tenant_use.hpp"
#include "sim/plan/plan.hpp"

namespace bursar {

/// Serves the job whose finish-time fairness rho is the worst; ties by submit order. rho is
/// (elapsed + remaining) / isolated: what it will have taken if it starts now, over its run time
/// had it had its share of the fleet to itself all along.
///
/// A job's share of the fleet is the weight of its tenant over the weights of all jobs that wait or
/// run, 1/n where none are given. A gang larger than its share runs isolated as many times slower;
/// one that is smaller, at full speed (Gavel's cap at one).
/// Source: Mahajan et al., Themis, NSDI 2020; Narayanan et al., Gavel, OSDI 2020, section 4.1.
struct FinishTimeFairness {
    static constexpr std::string_view name = "ftf";
    static constexpr std::string_view summary =
        "worst finish-time fairness first: (elapsed + remaining) over the time on its own share";
    static constexpr std::string_view cost =
        "log(waiting jobs); one look at each gang shape and tenant weight that has jobs waiting";
    static constexpr std::string_view source =
        "Mahajan et al., NSDI 2020; Narayanan et al., OSDI 2020";
    static constexpr OrderTraits traits{.by = OrderBy::ratio};

    static constexpr unsigned stretch_bits = 16; ///< of the stretch behind the point
    static constexpr std::uint64_t most_stretch = (std::uint64_t{1} << 36U) - 1;

    /// Isolated run time over run time, in units of 2^-16, cut off; a million at most.
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
        return ratio < most_stretch ? static_cast<std::uint64_t>(ratio) : most_stretch;
    }
};

} // namespace bursar
