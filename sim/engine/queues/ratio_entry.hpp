#pragma once

#include <cstdint>

#include "models/units/int128.hpp"

#include "sim/engine/order/candidate.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// Of who is no job.
inline constexpr std::uint32_t no_ratio_level = 0xffffffffU;

/// A level and about a ratio; by default of none.
struct RoughRatio {
    std::uint32_t level{no_ratio_level};
    double ratio{};
    friend BURSAR_HD bool operator<(const RoughRatio& a, const RoughRatio& b) {
        return a.level != b.level ? a.level < b.level : a.ratio > b.ratio;
    }
    /// Whether another may be as good as this one, or better.
    [[nodiscard]] BURSAR_HD bool is_close(const RoughRatio& other) const {
        return level != no_ratio_level && level == other.level &&
               other.ratio >= ratio * (1.0 - 1.0 / 8192);
    }
};

/// A group's leader with its ratio; by level, then the larger ratio first.
struct RatioEntry {
    std::uint64_t time_ms{}; ///< elapsed and remaining, below 2^42
    uint128 stretched_ms{1}; ///< run * stretch, below 2^76
    JobId job{Candidate::no_job()};
    std::uint32_t level{no_ratio_level};
    ShapeId shape{};
    friend BURSAR_HD bool operator<(const RatioEntry& a, const RatioEntry& b) {
        if (a.level != b.level)
            return a.level < b.level;
        const uint128 left = b.stretched_ms * a.time_ms;
        const uint128 right = a.stretched_ms * b.time_ms;
        return left != right ? left > right : a.job < b.job;
    }
};

/// When `rival`, of the level of `leader` and not before it now, is before it; horizon_ms:
/// never.
[[nodiscard]] BURSAR_HD inline std::int64_t
overtakes_at(const RatioEntry& rival, const RatioEntry& leader, std::int64_t now_ms) {
    if (leader.stretched_ms <= rival.stretched_ms)
        return horizon_ms;
    const uint128 lead = rival.stretched_ms * leader.time_ms - leader.stretched_ms * rival.time_ms -
                         (rival.job < leader.job ? 1 : 0); // who wins ties
    const uint128 wait = lead / (leader.stretched_ms - rival.stretched_ms) + 1;
    const auto left = static_cast<std::uint64_t>(horizon_ms - now_ms);
    return wait < left ? now_ms + static_cast<std::int64_t>(wait) : horizon_ms;
}

}} // namespace bursar::sim
