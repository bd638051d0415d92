#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

#include "policies/preemption/limit_options.hpp"

namespace bursar {

/// A waiting job p that does not fit stops a set S of running ones if more value is delivered per
/// hour with it:
///
///   v(p) / T(p)  >  sum over i in S of  v(i) / R(i) (1 + C(i) / T(p))
///
/// v: value of finishing a job. T(p): time p needs from its start to its end, start-up or recovery
/// and saves included, where on that pool it goes slowest. R(i): time i still needs if it is let
/// be. C(i): what stopping i costs it in time: the work since its last durable state, the save, and
/// the recovery. On the left is what p delivers per hour; on the right what the victims would have
/// in the same hours, and, spread over those hours, what they deliver later for having to make up
/// C(i). Decided in whole numbers, multiplied by T(p); each term of the sum is rounded up, so that
/// rounding never makes a stop pay.
///
/// Nobody can switch back: T(i) >= R(i), so that i would need v(i) R(p) > v(p) (R(i) + C(p)), which
/// is the opposite; p gains on i as it runs, and i gains nothing by waiting. (A first attempt that
/// is stopped before its work began may come back once where recovery is shorter than start-up.)
///
/// Jobs are served by value density (value per GPU-hour of work), those of equal density in the
/// queue's order: the first of a gang shape is the one most worth a stop.
///
/// Victims are taken by their term per GPU, least first, until the gang fits; then those that it
/// does not need after all are let off, dearest first; then the inequality decides.
struct PreemptByValue {
    static constexpr std::string_view name = "value";
    static constexpr std::string_view summary =
        "a waiting job stops running ones where that delivers more value per hour, net of what "
        "stopping costs; by value density, then in the queue's order";
    static constexpr std::string_view needs = "value";
    static constexpr std::string_view cost =
        "per event: running jobs x shapes that wait and do not fit";
    static constexpr OptionInfo options[]{most_preemptions_option, min_run_option, grace_option};

    PreemptionLimits limits;

    static PreemptByValue from(const PolicyOptions& given) { return {limits_from(given)}; }

    /// A victim's term of the sum times T(p), in nano-dollars; the most there is where it is more
    /// than any job is worth.
    /// left_ms: R(i) >= 1. loss_ms: C(i) >= 0. needed_ms: T(p) >= 1.
    [[nodiscard]] BURSAR_HD static std::int64_t toll(std::int64_t value_nano_usd,
                                                     std::int64_t left_ms,
                                                     std::int64_t loss_ms,
                                                     std::int64_t needed_ms) {
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
        const int128 numerator = int128{value_nano_usd} * (needed_ms + loss_ms);
        const int128 toll = (numerator + left_ms - 1) / left_ms;
        return toll < most ? static_cast<std::int64_t>(toll) : most;
    }

    /// Whether stopping attempts of so much toll together delivers more; value: v(p).
    [[nodiscard]] BURSAR_HD static bool pays(std::int64_t value_nano_usd, int128 tolls) {
        return value_nano_usd > tolls;
    }
};

} // namespace bursar
