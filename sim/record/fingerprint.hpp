#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// Mixes the bits of a 64-bit number (the finaliser of SplitMix64, Steele et al. 2014).
BURSAR_HD constexpr std::uint64_t mix_bits(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

/// Hash of a sequence: order matters.
BURSAR_HD constexpr std::uint64_t chain_hash(std::uint64_t hash, std::uint64_t next) {
    return mix_bits(hash * 0x9e3779b97f4a7c15U + next);
}

/// The contribution of a finished job to a run's fingerprint. The sum over jobs does not depend on
/// the order in which they finish at one instant.
BURSAR_HD constexpr std::uint64_t
finish_hash(JobId job, PoolId pool, std::int64_t start_ms, std::int64_t finish_ms) {
    const std::uint64_t who = std::uint64_t{job} << 32U | pool;
    return chain_hash(chain_hash(mix_bits(who), static_cast<std::uint64_t>(start_ms)),
                      static_cast<std::uint64_t>(finish_ms));
}

/// The contribution of a preempted attempt; differs from any finish, which is >= 0.
BURSAR_HD constexpr std::uint64_t
stop_hash(JobId job, PoolId pool, std::int64_t start_ms, std::int64_t stop_ms) {
    return finish_hash(job, pool, start_ms, ~(stop_ms + 1));
}

/// The contribution of a job that was dropped; differs from that of any attempt, as no pool has
/// that number.
BURSAR_HD constexpr std::uint64_t drop_hash(JobId job, std::int64_t drop_ms) {
    return finish_hash(job, PoolId{0xffffffffU}, drop_ms, drop_ms);
}

}} // namespace bursar::sim
