#pragma once

#include <cstdint>

#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// What a job with a deadline may use: cheap capacity, which may be taken back, for as long as it
/// can afford to wait for it, and from then on only what stays.
///
/// It falls back as soon as it waits and the time until its deadline is no more than it needs on
/// the slowest of the late pools, `boot_ms`, and the worst that one more attempt on an early pool
/// can cost it: its recovery and what it may lose. From then on it stays there to its end. Source:
/// Wu et al. 2024 (NSDI, "Can't Be Late"), the rules of thrift, of the safety net and of
/// exploitation; they count two changeovers where a boot takes no time and no work is lost.
///
/// Where jobs keep their pace (Plan::keeps_pace), a job that waits also falls back when it has done
/// less of its work than its part of the time until its deadline that has passed. It moves back to
/// an early pool with room once it is ahead of that line by two recoveries (and, where it saves at
/// intervals, one of these). Source: ibid., Uniform Progress.
struct JobFallback {
    JobId job{};
    std::uint64_t early_pools{}; ///< bits as in JobShape::permitted_pools; never 0
    std::uint64_t late_pools{};  ///< likewise; none in both
    std::int64_t loss_ms{};      ///< of work, the most that an attempt on an early pool may lose
    std::int64_t boot_ms{};      ///< the longest boot of a node of a late pool
};

}} // namespace bursar::sim
