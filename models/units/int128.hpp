#pragma once

/// 128-bit integers: exact totals of money and GPU time (a fleet-year at a nano-dollar rate is
/// about 3e29; int64 ends at 9e18). g++, clang and nvcc all have them; the names live here once.
namespace bursar { inline namespace models {

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

}} // namespace bursar::models
