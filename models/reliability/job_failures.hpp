#pragma once

#include <cstdint>

#include "models/random/philox.hpp"
#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

/// Failures of jobs by their own fault, in integers, so that results are the same on any machine.
///
/// A job wears as it runs: by its rate, in failures per 10^9 hours, for each millisecond. The wear
/// between failures n - 1 and n of job j is drawn per (seed, j, n). Rates may change during a run;
/// pauses do not matter.
namespace bursar { inline namespace models {

/// Mean wear between two failures: one hour at a rate of one per hour.
inline constexpr std::int64_t wear_per_failure = std::int64_t{3'600'000} * 1'000'000'000;

/// A draw from the exponential distribution of mean 1, in units of 2^-32; `entity` is used for it
/// alone.
///
/// Source: von Neumann, "Various techniques used in connection with random digits", 1951: for
/// uniform numbers u1 > u2 > ... > un <= u(n+1), an odd n accepts u1; each rejection adds 1.
[[nodiscard]] BURSAR_HD constexpr std::uint64_t unit_exponential(const RandomStream& random,
                                                                 std::uint64_t entity) {
    std::uint32_t draw = 0;
    for (std::uint64_t whole = 0;; ++whole) {
        const std::uint64_t first = random.draw(entity, draw++);
        std::uint64_t last = first;
        bool is_odd = true;
        for (std::uint64_t next = random.draw(entity, draw++); next < last;
             next = random.draw(entity, draw++)) {
            last = next;
            is_odd = !is_odd;
        }
        if (is_odd)
            return whole << 32U | first >> 32U;
    }
}

/// Wear of a job from its failure n - 1, or from its beginning, to failure n; >= 1.
[[nodiscard]] BURSAR_HD constexpr std::int64_t
wear_to_failure(std::uint64_t seed, std::uint32_t job, std::uint32_t n) {
    const std::uint64_t entity = std::uint64_t{n} << 32U | job;
    const uint128 wear =
        uint128{unit_exponential(RandomStream{seed, Stream::job_failures}, entity)} *
        static_cast<std::uint64_t>(wear_per_failure);
    return static_cast<std::int64_t>(wear >> 32U) + 1;
}

/// Whole milliseconds until `wear` is reached. wear: > 0. rate: > 0, per 10^9 hours.
[[nodiscard]] BURSAR_HD constexpr std::int64_t ms_to_wear(std::int64_t wear, std::int64_t rate) {
    return wear / rate + (wear % rate != 0 ? 1 : 0);
}

}} // namespace bursar::models
