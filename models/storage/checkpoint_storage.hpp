#pragma once

#include <cstdint>
#include <optional>
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

/// Throws ModelError, naming the tier, for a price that is negative or not finite.
void check(const StorageTier& tier);

/// US dollars to move `volume` out of the provider's network, retrieval included. volume: not
/// negative; ModelError otherwise.
[[nodiscard]] double egress_usd(const StorageTier& tier, ByteVolume volume);

/// The cost of keeping a run's checkpoints (FORMULAS 8).

/// The last `keep` checkpoints stay in the hot tier; older ones move to the cold tier, or are
/// deleted where there is none.
struct RetentionPlan {
    ByteVolume size;      ///< of one checkpoint, > 0
    double objects{1};    ///< files it consists of, > 0
    std::int64_t keep{1}; ///< k, >= 1
    StorageTier hot;
    std::optional<StorageTier> cold; ///< absent: older checkpoints are deleted
};

/// US dollars per month of `count` checkpoints: size · (min(k, n) · p_hot + (n - k) · p_cold).
/// count: n >= 0. Throws ModelError for values out of range.
[[nodiscard]] double monthly_usd(const RetentionPlan& plan, std::int64_t count);

/// A run and the reads of its checkpoints.
struct StoredRun {
    Seconds length;         ///< >= 0
    Seconds between;        ///< from one checkpoint to the next, wall clock, > 0
    double restores{};      ///< times a checkpoint is read back from the hot tier, >= 0
    double cold_restores{}; ///< the same from the cold tier, >= 0; 0 without one
    double moved_out{};     ///< checkpoints copied out of the provider's network, hot tier, >= 0
};

/// US dollars of a run, by kind of charge.
struct StorageCost {
    std::int64_t checkpoints{}; ///< written
    double hot{};               ///< holding
    double cold{};
    double requests{};
    double retrieval{};
    double egress{};

    [[nodiscard]] double total() const { return hot + cold + requests + retrieval + egress; }
};

/// Holding until the run ends: of n = floor(length / between) checkpoints each is hot until k more
/// were written, then cold, every object for at least its tier's shortest time. Moving one to the
/// cold tier reads it from the hot one and writes it to the cold. Throws ModelError for values out
/// of range and for cold restores without a cold tier.
[[nodiscard]] StorageCost run_storage_cost(const RetentionPlan& plan, const StoredRun& run);

}} // namespace bursar::models
