#pragma once

#include <cstdint>

#include "models/units/int128.hpp"

#include "sim/engine/order/rank.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/job_group.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// A pending job's claim, (elapsed + remaining) / run: it grows by 1 / run while time passes.
struct Claim {
    std::int64_t offset_ms{}; ///< elapsed + remaining = now + offset, 0 or more, below 2^42
    std::int64_t run_ms{1};   ///< of the whole job, >= 1

    [[nodiscard]] BURSAR_HD std::uint64_t time_ms(std::int64_t now_ms) const {
        return static_cast<std::uint64_t>(now_ms + offset_ms);
    }
    /// Cross product: larger than `other.against(*this)` if this claim is the larger one.
    [[nodiscard]] BURSAR_HD uint128 against(const Claim& other, std::int64_t now_ms) const {
        return uint128{time_ms(now_ms)} * static_cast<std::uint64_t>(other.run_ms);
    }
};

/// A lower bound of the instant at which `rival`, not ahead at `now`, gets ahead of `leader`;
/// horizon_ms: never. It is exact unless that takes hours: if the lead's cross product is 2^64 or
/// more, it is up to 2^20 ms too early, which saves a long division. wins_ties: equal claims
/// suffice.
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

/// The claim of no job.
inline constexpr std::uint32_t no_ratio_level = 0xffffffffU;

/// A level and an approximate ratio; by default those of no job.
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

/// A group's leader with its ratio; ordered by level, then the larger ratio first.
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

/// When `rival`, of the same level and not before `leader` now, gets before it; horizon_ms: never.
[[nodiscard]] BURSAR_HD inline std::int64_t
overtakes_at(const RatioEntry& rival, const RatioEntry& leader, std::int64_t now_ms) {
    if (leader.stretched_ms <= rival.stretched_ms)
        return horizon_ms;
    const uint128 lead = rival.stretched_ms * leader.time_ms - leader.stretched_ms * rival.time_ms -
                         (rival.job < leader.job ? 1 : 0); // ties
    const uint128 wait = lead / (leader.stretched_ms - rival.stretched_ms) + 1;
    const auto left = static_cast<std::uint64_t>(horizon_ms - now_ms);
    return wait < left ? now_ms + static_cast<std::int64_t>(wait) : horizon_ms;
}

/// A group of its shape's best level with pending jobs, and its leader.
struct AskedGroup {
    AskedGroup() = default;
    /// fair_weight: of the order.
    BURSAR_HD AskedGroup(std::uint32_t number, const JobGroup& own, double fair)
        : fair_weight{fair}, group{number}, level{own.level}, shape{own.shape} {}

    /// Sets another leader.
    BURSAR_HD void lead(JobId leader, const Claim& by) {
        job = leader;
        claim = by;
        per_run = 1.0 / static_cast<double>(by.run_ms);
    }

    /// Its rank at an instant, if the leader does not change until then.
    template <class Order>
    [[nodiscard]] BURSAR_HD RoughRatio rough(const Order& order,
                                             std::int64_t at_ms,
                                             double per_weight) const {
        return {level,
                static_cast<double>(at_ms + claim.offset_ms) * per_run *
                    order.rough_speed(fair_weight, per_weight)};
    }

    Claim claim{};
    double per_run{}; ///< 1 / claim.run_ms
    double fair_weight{};
    JobId job{Candidate::no_job()};
    std::uint32_t group{};
    std::uint32_t level{};
    ShapeId shape{};
};

/// The groups of a shape's best level.
struct ShapeFront {
    std::uint32_t level{};
    std::uint32_t num_groups{};
};

}} // namespace bursar::sim
