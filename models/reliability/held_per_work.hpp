#pragma once

#include <optional>

#include "models/units/physics.hpp"

/// What a job that is interrupted holds its GPUs for (FORMULAS 6.3).
namespace bursar { inline namespace models {

/// A job on GPUs that it loses at random times, and how it saves.
struct InterruptedWork {
    Seconds work; ///< of the whole job on these GPUs, > 0
    std::optional<Seconds>
        interval;                ///< of work between saves, > 0; absent: it saves at no interval
    Seconds save;                ///< >= 0
    Seconds restart;             ///< R, holding GPUs before work goes on, >= 0
    bool saves_as_it_ends{};     ///< it is told in time: it loses nothing, and `save` is held
    std::optional<Seconds> mtbf; ///< M, between interruptions of the job, > 0; absent: none
};

/// Time that the job holds GPUs for each second of work that is kept; >= 1, infinite where nothing
/// is ever kept.
///
/// Without interruptions 1 + δ / τ. Told in time: e^(R/M) + δ / M, as a restart takes
/// M (e^(R/M) - 1) with those that come in between. Else the inverse of Daly's useful share, at τ
/// or, where it saves at no interval, at the whole of its work. Throws ModelError for values out of
/// range.
/// Source: Daly 2006, section 3. Checked against draws in held_per_work_test.cpp.
[[nodiscard]] double held_per_work(const InterruptedWork& run);

}} // namespace bursar::models
