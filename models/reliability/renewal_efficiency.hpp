#pragma once

#include "models/reliability/checkpoint_cost.hpp"
#include "models/reliability/survival.hpp"

/// Checkpoints in lives of any distribution (FORMULAS 6.3), for empirical traces of failures or
/// preemptions that a mean time between failures does not describe.
namespace bursar { inline namespace models {

/// Whether a restart counts as part of the life.
enum class RestartPhase : std::uint8_t {
    within_life, ///< the restart is part of the new life and may be interrupted
    before_life, ///< the life counts from the end of the restart, which always succeeds
};

/// Successive lives, each from the last checkpoint of the one before.
struct RenewalRun {
    CheckpointCost checkpoint;
    Seconds restart; ///< R, >= 0
    SurvivalFunction life;
    RestartPhase phase{RestartPhase::within_life};
};

/// Expected share of time that makes kept progress at compute interval τ. With c = τ + δ and ℓ the
/// background write, checkpoint k of a life is durable at k·c + ℓ, so a life yields on average
/// τ Σ_{k>=1} S(k c + ℓ) in a time of mean + R (restart before the life), or
/// τ Σ S(R + k c + ℓ) in a time of mean (restart within it), less interference from the second
/// interval on. Of memoryless lives the second is expected_shares().useful.
///
/// interval: > 0 and >= min_interval(). Throws ModelError for values out of range.
[[nodiscard]] double renewal_efficiency(const RenewalRun& run, Seconds interval);

/// The interval of the largest renewal_efficiency: the best of 512 intervals, evenly spaced in
/// their logarithm between Young's / 64 (or what makes 100000 checkpoints in the curve's length)
/// and the age that one life in a thousand reaches, then refined around it. Curves with steps have
/// many local optima; one narrower than that grid may be missed. Throws ModelError as
/// renewal_efficiency, and for a checkpoint that takes no time.
[[nodiscard]] Seconds optimal_interval(const RenewalRun& run);

}} // namespace bursar::models
