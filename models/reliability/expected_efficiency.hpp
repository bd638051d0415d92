#pragma once

#include <optional>

#include "models/reliability/checkpoint_interval.hpp"
#include "models/units/physics.hpp"

/// The share of time in which a run with checkpoints and failures makes progress (FORMULAS 6.3).
namespace bursar { inline namespace models {

/// The time that an interrupted job holds its GPUs (FORMULAS 6.3).

/// A job on GPUs that are lost at random times, and its checkpoints.
struct InterruptedWork {
    Seconds work;                    ///< of the whole job on these GPUs, > 0
    std::optional<Seconds> interval; ///< of work between saves, > 0; absent: no saves at intervals
    Seconds save;                    ///< >= 0
    Seconds restart;                 ///< R, holding GPUs before work continues, >= 0
    bool saves_as_it_ends{};         ///< enough notice to save: no work is lost, and `save` is held
    std::optional<Seconds> mtbf;     ///< M, between interruptions of the job, > 0; absent: none
};

/// GPU-holding time per second of kept work; >= 1, infinite if no work is ever kept.
///
/// Without interruptions 1 + δ / τ. With enough notice: e^(R/M) + δ / M, since a restart takes M
/// (e^(R/M) - 1) including repeated ones. Otherwise the inverse of Daly's useful share, at τ or,
/// where it saves at no interval, at the whole of its work. Throws ModelError for values out of
/// range.
/// Source: Daly 2006, section 3. Checked against draws in expected_efficiency_test.cpp.
[[nodiscard]] double held_per_work(const InterruptedWork& run);

/// Shares of the wall-clock time of a run; they add up to 1.
struct TimeShares {
    double useful{};       ///< progress that was kept: the expected efficiency
    double dump{};         ///< blocked by checkpoints that were kept
    double interference{}; ///< slowed down by background writes
    double rework{};       ///< computed or dumped, then lost in a failure
    double restart{};      ///< between a failure and training again
};

/// Exact for failures at a constant rate (Poisson), during restarts too.
///
/// With c = τ + δ, ℓ the background write and i its interference, one kept interval takes on
/// average M e^((R+ℓ)/M) (e^(c/M) - 1). Of that δ is dump, i·min(ℓ,τ)·e^(-c/M) interference (the
/// exponential is the share of intervals that are not the first of a life, during which nothing is
/// written) and the rest of τ useful. Restart is a share 1 - e^(-R/M) of all time; the remainder is
/// rework. With ℓ = 0 the useful share is Daly's τ / (M e^(R/M) (e^((τ+δ)/M) - 1)).
///
/// interval: τ > 0 and >= min_interval(). Throws ModelError for values out of range.
/// Source: Daly 2006, section 3; ℓ derived here: checkpoint k of a life is durable at k·c + ℓ.
/// Checked against an event-by-event simulation in expected_efficiency_test.cpp.
[[nodiscard]] TimeShares expected_shares(const CheckpointedRun& run, Seconds interval);

/// Wall-clock time from one kept checkpoint to the next, of a run with these shares at `interval`.
/// Throws ModelError if none is ever kept.
[[nodiscard]] Seconds time_between_checkpoints(const TimeShares& shares, Seconds interval);

/// Natural logarithm of the useful share: finite where the share itself is too small for a double.
[[nodiscard]] double log_efficiency(const CheckpointedRun& run, Seconds interval);

/// First-order shares of the time lost: δ/τ + (τ/2 + ℓ + R)/M + interference. May exceed 1 with a
/// failure every few checkpoints, where first order is too coarse.
struct FirstOrderWaste {
    double dump{};         ///< δ / τ
    double rework{};       ///< (τ/2 + ℓ) / M
    double restart{};      ///< R / M
    double interference{}; ///< i · min(ℓ, τ) / τ

    [[nodiscard]] double total() const { return dump + rework + restart + interference; }
};

/// interval: as in expected_shares. Throws ModelError for values out of range.
[[nodiscard]] FirstOrderWaste first_order_waste(const CheckpointedRun& run, Seconds interval);

/// Throws ModelError unless `interval` is above zero and leaves time for the background write.
void check_interval(const CheckpointCost& cost, Seconds interval);

/// Progress that one interval loses to the background write of the checkpoint before it:
/// i · min(ℓ, τ).
[[nodiscard]] Seconds interference_loss(const CheckpointCost& cost, Seconds interval);

}} // namespace bursar::models
