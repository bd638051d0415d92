#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/physics.hpp"

namespace bursar {

/// Prices of keeping bytes in one class of storage. US dollars in floating point: estimates; 1 GB =
/// 1e9 B. All >= 0.
struct StorageTier {
    std::string name;
    double usd_per_gb_month{};
    double usd_per_gb_retrieved{};
    double usd_per_1000_writes{};
    double usd_per_1000_reads{};
    double usd_per_gb_egress{}; ///< out of the provider's network
    double least_days{};        ///< deleted earlier, an object is charged for this long
    std::string source;
};

/// A month of storage is a twelfth of 365 days.
inline constexpr double seconds_per_month = 365.0 / 12.0 * seconds_per_day;

/// Throws ModelError, by the tier's name, for a price that is not a finite number of zero or more.
void check(const StorageTier& tier);

/// Object storage of one provider, list price, us-east-1, first 50 TB: s3-standard, s3-standard-ia,
/// s3-glacier-instant, s3-deep-archive. `source` says where and when.
[[nodiscard]] const std::array<StorageTier, 4>& published_storage_tiers();

/// The tier of that name; null if there is none.
[[nodiscard]] const StorageTier* find_storage_tier(std::string_view name);
[[nodiscard]] std::vector<std::string> storage_tier_names();

/// US dollars to hold `volume` for `time`; no shorter than the tier's least. volume, time: not
/// negative. Throws ModelError for values out of range.
[[nodiscard]] double holding_usd(const StorageTier& tier, ByteVolume volume, Seconds time);

/// US dollars to move `volume` out of the provider's network, retrieval included. volume: not
/// negative; ModelError otherwise.
[[nodiscard]] double egress_usd(const StorageTier& tier, ByteVolume volume);

} // namespace bursar
