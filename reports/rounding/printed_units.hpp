#pragma once

#include "models/units/units.hpp"

namespace bursar { inline namespace reports {

/// Exact numerators per printed unit: the divisors of every rounding in reports.
inline constexpr int128 money_per_usd = int128{slot_ms_per_gpu_hour} * nano_usd_per_usd;
inline constexpr int128 money_per_micro_usd = money_per_usd / 1'000'000;
inline constexpr int128 slot_ms_per_micro_gpu_hour = slot_ms_per_gpu_hour / 1'000'000;

}} // namespace bursar::reports
