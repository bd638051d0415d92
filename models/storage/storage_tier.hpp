#pragma once

#include <string>

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// Prices of keeping bytes in one class of storage. US dollars in floating point: estimates; 1 GB =
/// 1e9 B. All >= 0.
struct StorageTier {
    std::string name;
    double usd_per_gb_month{};
    double usd_per_gb_retrieved{};
    double usd_per_1000_writes{};
    double usd_per_1000_reads{};
    double usd_per_gb_egress{}; ///< out of the provider's network
    double min_days{};          ///< deleted earlier, an object is charged for this long
    std::string source;
};

/// A month of storage is a twelfth of 365 days.
inline constexpr double seconds_per_month = 365.0 / 12.0 * seconds_per_day;

/// Throws ModelError, by the tier's name, for a price that is not a finite number of zero or more.
void check(const StorageTier& tier);

/// US dollars to move `volume` out of the provider's network, retrieval included. volume: not
/// negative; ModelError otherwise.
[[nodiscard]] double egress_usd(const StorageTier& tier, ByteVolume volume);

}} // namespace bursar::models
