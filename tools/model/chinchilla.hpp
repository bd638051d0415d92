#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/gpu/gpu.hpp"
#include "models/scaling/inference_aware.hpp"
#include "models/scaling/power_law.hpp"
#include "models/scaling/sparse_params.hpp"
#include "models/scaling/surface_fit.hpp"

#include "reports/document/document.hpp"

namespace bursar { inline namespace tools {

/// A surface fitted to the user's runs.
struct FittedRuns {
    std::string file;
    std::size_t left_out{}; ///< number of runs of highest loss that were dropped
    std::vector<ScalingRun> runs;
    SurfaceFit fit;
    std::optional<SurfaceIntervals> intervals;
};

/// A mixture of experts; the run's parameters are its active ones.
struct ExpertsQuestion {
    Parameters total;
    double total_weight{default_total_weight};
};

/// The GPU whose hours pay for a run.
struct GpuHoursQuestion {
    std::string gpu;
    Precision precision{};
    ComputePrice training; ///< without a price: one dollar per hour
    ComputePrice reading;
    ComputePrice writing;
    bool has_price{};
};

/// Tokens that the model will serve in its lifetime.
struct ServingQuestion {
    Tokens read;
    Tokens written;
};

/// Input of `bursar model chinchilla`.
struct ChinchillaQuestion {
    LossSurface surface;
    std::optional<FittedRuns> fitted;  ///< the surface is fitted, not published
    std::optional<PowerLaw> law;       ///< allocates in place of the surface's optimum
    std::optional<Flops> budget;       ///< as given
    std::optional<Allocation> run;     ///< absent: only the fit is wanted
    std::string run_is;                ///< how the run was found: "compute-optimal for --flops"
    std::optional<double> target_loss; ///< which the run's tokens follow from; absent: they do not

    // Further conditions of the run; absent: not in the answer.
    std::optional<Tokens> unique_tokens;
    std::optional<ExpertsQuestion> experts;
    std::optional<Tokens> batch;
    std::optional<ServingQuestion> serving;
    std::optional<GpuHoursQuestion> hours;
};

/// The run with the terms of every figure and the source of every constant. Warns about unwise
/// input; throws ModelError for input without a solution.
[[nodiscard]] Document chinchilla_answer(const ChinchillaQuestion& question);

/// Adds smaller models trained for longer beside the compute-optimal one. Requires question.run.
void add_over_training(Document& answer, const ChinchillaQuestion& question);

/// Adds the effects of the given conditions on the run: repeated data, experts, steps, serving, GPU
/// hours. Requires question.run.
void add_circumstances(Document& answer, const ChinchillaQuestion& question);

/// Adds the errors of the surface on the runs it was fitted to, and its intervals.
void add_fit(Document& answer, const FittedRuns& fitted);

}} // namespace bursar::tools
