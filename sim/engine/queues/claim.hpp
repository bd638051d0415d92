#pragma once

#include <cstdint>

#include "models/units/int128.hpp"

#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// A pending job's claim, (elapsed + remaining) / run: it grows by 1 / run while time passes.
struct Claim {
    std::int64_t offset_ms{}; ///< elapsed + remaining is now + offset, 0 or more, below 2^42
    std::int64_t run_ms{1};   ///< of the whole job, >= 1

    [[nodiscard]] BURSAR_HD std::uint64_t time_ms(std::int64_t now_ms) const {
        return static_cast<std::uint64_t>(now_ms + offset_ms);
    }
    /// Larger than what `other` has against this one where this claim is the larger.
    [[nodiscard]] BURSAR_HD uint128 against(const Claim& other, std::int64_t now_ms) const {
        return uint128{time_ms(now_ms)} * static_cast<std::uint64_t>(other.run_ms);
    }
};

/// An instant after `now` before which `rival`, not ahead at `now`, does not get ahead of `leader`;
/// horizon_ms: never does. It is the first at which the rival is ahead unless that takes hours:
/// where the lead across is 2^64 or more, it is up to 2^20 ms earlier, which spares a long
/// division. wins_ties: equal claims suffice.
BURSAR_HD inline std::int64_t
overtakes_after(const Claim& rival, const Claim& leader, std::int64_t now_ms, bool wins_ties) {
    if (leader.run_ms <= rival.run_ms)
        return horizon_ms;
    const auto gain = static_cast<std::uint64_t>(leader.run_ms - rival.run_ms);
    const uint128 lead =
        leader.against(rival, now_ms) - rival.against(leader, now_ms) - (wins_ties ? 1 : 0);
    constexpr unsigned coarse_bits = 20; // leads are below 2^82
    const bool fits = lead >> 64U == 0;
    const std::uint64_t wait = fits ? static_cast<std::uint64_t>(lead) / gain
                                    : static_cast<std::uint64_t>(lead >> coarse_bits) / gain
                                          << coarse_bits;
    const auto left = static_cast<std::uint64_t>(horizon_ms - now_ms);
    return wait + 1 < left ? now_ms + static_cast<std::int64_t>(wait) + 1 : horizon_ms;
}

}} // namespace bursar::sim
