#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/scaling/power_law.hpp"
#include "models/scaling/surface_bootstrap.hpp"

#include "tools/bursar/model/chinchilla_options.hpp"

namespace bursar {

/// A surface fitted to the user's runs.
struct FittedRuns {
    std::vector<ScalingRun> runs;
    SurfaceFit fit;
    std::optional<SurfaceIntervals> intervals;
};

/// What the options of `bursar model chinchilla` ask about.
struct ChinchillaQuestion {
    LossSurface surface;
    std::optional<FittedRuns> fitted; ///< the surface is fitted, not published
    std::optional<PowerLaw> law;      ///< allocates in place of the surface's optimum
    std::optional<Flops> budget;      ///< as given
    std::optional<Allocation> run;    ///< absent: only the fit was asked for
    std::string run_is;               ///< where the run comes from: "compute-optimal for --flops"
};

/// Reads the runs to fit to and solves for what was left open: of N, D and C two give the third and
/// one gives the optimum; a target loss gives the cheapest run or, with N, its tokens.
/// Throws ScenarioError for options that ask nothing or too much, ModelError for what has no
/// answer.
[[nodiscard]] ChinchillaQuestion resolve(const ChinchillaOptions& options);

} // namespace bursar
