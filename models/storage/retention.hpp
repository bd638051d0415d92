#pragma once

#include <cstdint>
#include <optional>

#include "models/storage/storage_tier.hpp"

/// What keeping a run's checkpoints costs (FORMULAS 8).
namespace bursar { inline namespace models {

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

/// A run and what is read back of its checkpoints.
struct StoredRun {
    Seconds length;         ///< >= 0
    Seconds between;        ///< from one checkpoint to the next, wall clock, > 0
    double restores{};      ///< times a checkpoint is read back from the hot tier, >= 0
    double cold_restores{}; ///< the same from the cold tier, >= 0; 0 without one
    double moved_out{};     ///< checkpoints copied out of the provider's network, hot tier, >= 0
};

/// US dollars of a run, by what is charged.
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
