#pragma once

#include <cassert>
#include <cstdint>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

/// Counter-based randomness: a draw is a pure function of (seed, stream, entity, number). So a new
/// draw changes no other, and any order or number of threads gives the same world.
namespace bursar { inline namespace models {

/// 128 bits: the counter that goes in, and the random block that comes out.
struct PhiloxBlock {
    std::uint32_t word[4];

    friend BURSAR_HD constexpr bool operator==(const PhiloxBlock& a, const PhiloxBlock& b) {
        return a.word[0] == b.word[0] && a.word[1] == b.word[1] && a.word[2] == b.word[2] &&
               a.word[3] == b.word[3];
    }
};

struct PhiloxKey {
    std::uint32_t word[2];
};

/// Philox4x32-10: ten rounds of two 32x32-bit multiplications, keyed by a Weyl sequence.
///
/// Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011;
/// philox_test.cpp holds the known answers of their Random123 library.
BURSAR_HD constexpr PhiloxBlock philox4x32_10(PhiloxBlock counter, PhiloxKey key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53U} * counter.word[0];
        const std::uint64_t b = std::uint64_t{0xCD9E8D57U} * counter.word[2];
        counter = {{static_cast<std::uint32_t>(b >> 32) ^ counter.word[1] ^ key.word[0],
                    static_cast<std::uint32_t>(b),
                    static_cast<std::uint32_t>(a >> 32) ^ counter.word[3] ^ key.word[1],
                    static_cast<std::uint32_t>(a)}};
        key.word[0] += 0x9E3779B9U;
        key.word[1] += 0xBB67AE85U;
    }
    return counter;
}

/// The purpose of a draw. The meaning of a seed depends on these values: append, never renumber.
enum class Stream : std::uint16_t {
    arrivals = 1,
    gang_sizes = 2,
    run_times = 3,
    end_states = 4,
    tenants = 5,
    placement = 6,
    estimates = 7,
    reclaims = 8,
    boots = 9,
    trace_blocks = 10,
    trials = 11,
    node_supply = 16, ///< from 16: availability and failures of the world
    zone_supply = 17,
    supply_states = 18,
    supply_blocks = 19,
    node_failures = 20,
    rack_failures = 21,
    job_failures = 22,
    launch_failures = 23,
    slow_nodes = 24,
    node_rates = 25,
    scaling_bootstrap = 32, ///< from 32: draws of models
    prices = 33,
    sweep_draws = 48, ///< from 48: draws over scenarios
};

/// A uniform double from 64 random bits, strictly inside (0, 1): the odd multiples of 2^-53, so
/// that its logarithm and its quantiles are always finite, and 1 - u is as likely as u.
BURSAR_HD constexpr double uniform01(std::uint64_t bits) {
    return static_cast<double>((bits >> 11) | 1U) * 0x1.0p-53;
}

/// The random numbers of one purpose under one seed. Entities are jobs, nodes, pools...; each has
/// 2^32 draws.
class RandomStream {
  public:
    BURSAR_HD constexpr RandomStream(std::uint64_t seed, Stream stream)
        : seed_{seed}, stream_{stream} {}

    /// Draw number `n` of `entity`: 64 uniform bits.
    [[nodiscard]] BURSAR_HD constexpr std::uint64_t draw(std::uint64_t entity,
                                                         std::uint32_t n) const {
        return attempt(entity, n, 0);
    }

    /// Draw `n` as a double in (0, 1); see uniform01.
    [[nodiscard]] BURSAR_HD constexpr double uniform(std::uint64_t entity, std::uint32_t n) const {
        return uniform01(draw(entity, n));
    }

    /// Draw `n` as a whole number in [0, bound), every value equally likely. bound: >= 1.
    ///
    /// Source: Lemire, "Fast random integer generation in an interval", ACM TOMACS 29(1), 2019.
    [[nodiscard]] BURSAR_HD constexpr std::uint64_t
    below(std::uint64_t bound, std::uint64_t entity, std::uint32_t n) const {
        assert(bound >= 1);
        const std::uint64_t unfair = (0 - bound) % bound; // 2^64 mod bound
        for (std::uint16_t retry = 0;; ++retry) {
            const uint128 scaled = uint128{attempt(entity, n, retry)} * bound;
            if (static_cast<std::uint64_t>(scaled) >= unfair)
                return static_cast<std::uint64_t>(scaled >> 64);
        }
    }

  private:
    // A retry has a separate counter, so that a rejected draw does not change later ones.
    [[nodiscard]] BURSAR_HD constexpr std::uint64_t
    attempt(std::uint64_t entity, std::uint32_t n, std::uint16_t retry) const {
        const std::uint32_t purpose =
            static_cast<std::uint32_t>(stream_) | (static_cast<std::uint32_t>(retry) << 16);
        const PhiloxBlock block =
            philox4x32_10({{n, purpose, low(entity), high(entity)}}, {{low(seed_), high(seed_)}});
        return block.word[0] | (std::uint64_t{block.word[1]} << 32);
    }

    static BURSAR_HD constexpr std::uint32_t low(std::uint64_t x) {
        return static_cast<std::uint32_t>(x);
    }
    static BURSAR_HD constexpr std::uint32_t high(std::uint64_t x) {
        return static_cast<std::uint32_t>(x >> 32);
    }

    std::uint64_t seed_;
    Stream stream_;
};

}} // namespace bursar::models
