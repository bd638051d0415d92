#pragma once

#include "models/reliability/checkpoint_cost.hpp"

/// How long to compute between two checkpoints (FORMULAS 6.2). An interval is the time computed
/// between the end of one dump and the start of the next, the dump itself not counted.
namespace bursar { inline namespace models {

/// A run that saves, fails and starts again.
struct CheckpointedRun {
    CheckpointCost checkpoint;
    Seconds restart; ///< R: from a failure until training goes on, >= 0
    Seconds mtbf;    ///< M: mean time between failures of the job, > 0
};

/// Throws ModelError for members out of range.
void check(const CheckpointedRun& run);

/// sqrt(2 δ M). dump: δ > 0; mtbf: M > 0; ModelError otherwise.
/// Source: Young, "A first order approximation to the optimum checkpoint interval", CACM 17(9),
/// 1974.
[[nodiscard]] Seconds young_interval(Seconds dump, Seconds mtbf);

/// sqrt(2 δ M) · [1 + 1/3 sqrt(δ / 2M) + 1/9 (δ / 2M)] - δ for δ < 2M, else M. dump: δ > 0; mtbf:
/// M > 0; ModelError otherwise.
/// Source: Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps",
/// FGCS 22, 2006, equation 37.
[[nodiscard]] Seconds daly_interval(Seconds dump, Seconds mtbf);

/// The shortest interval at which one background write is over before the next begins:
/// background - blocking, at least 0.
[[nodiscard]] Seconds min_interval(const CheckpointCost& cost);

/// The interval of the largest expected efficiency (expected_shares), found numerically; never
/// below min_interval. Throws ModelError for a run out of range and for a checkpoint that takes
/// no time at all.
[[nodiscard]] Seconds optimal_interval(const CheckpointedRun& run);

}} // namespace bursar::models
