#pragma once

#include <cstddef>
#include <cstdint>

#include "models/units/units.hpp"

/// What a number in a saved result may be at most.
namespace bursar { inline namespace reports { namespace saved {

// Bounds that no run comes near and under which no output can overflow 128 bits: a whole pool over
// the longest run costs less than 2^24 GPUs x 2^10 slots x 2^41 ms x 2^50 nano-dollars = 2^125.
inline constexpr std::int64_t max_ms = std::int64_t{1} << 41; ///< twice the engine's horizon
inline constexpr std::int64_t max_gpus = (std::int64_t{1} << 24) - 1;
inline constexpr std::int64_t max_rate = std::int64_t{1} << 50; ///< 1.1 million USD per GPU-hour
inline constexpr int128 max_slot_ms = int128{1} << 90;          ///< of all cells together
inline constexpr std::int64_t max_currency_nano_usd = 1'000'000 * nano_usd_per_usd;
inline constexpr int128 max_budget =
    int128{1'000'000'000} * nano_usd_per_usd * slot_ms_per_gpu_hour; ///< 1e9 USD
inline constexpr int128 max_money = int128{1} << 122; ///< of all cells and other costs
inline constexpr int128 max_statistic = int128{1} << 110;
inline constexpr int128 max_count = int128{1} << 100;           ///< of what is shown in millionths
inline constexpr std::int64_t max_utc_ms = 253'402'300'799'999; ///< 9999-12-31T23:59:59.999Z
inline constexpr std::int64_t min_utc_ms = -62'135'596'800'000; ///< 0001-01-01T00:00Z

}}} // namespace bursar::reports::saved
